package dev.varve.service.query;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.web.CutOff;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sends all rows of a result in one answer, as fast as the client takes them. A failure before the
 * first byte is answered like any other; one after it breaks the connection, so that nobody takes
 * the part for the whole.
 */
final class WholeResult {
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final int BUFFER_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(WholeResult.class);

  private WholeResult() {}

  static void send(
      ClientQuery query,
      long token,
      ResultFormat format,
      JsonMapper json,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException, InterruptedException {
    ResultBuffer.Page page = next(query, token);
    while (page.schema() == null) {
      page = next(query, page.next());
    }
    response.setContentType(format.type().toString());
    response.setHeader(
        HttpHeaders.CONTENT_DISPOSITION,
        "attachment; filename=\"" + query.id() + "." + format.extension() + "\"");
    OutputStream out = new BufferedOutputStream(response.getOutputStream(), BUFFER_BYTES);
    Schema schema = page.schema();
    format.header(out, schema);
    try {
      while (true) {
        for (Batch batch : page.batches()) {
          format.rows(out, schema, batch, json);
        }
        if (page.next() < 0) {
          out.flush();
          return;
        }
        if (page.batches().isEmpty()) {
          // The client sees that the answer has begun, and we see whether it is still there.
          out.flush();
        }
        page = next(query, page.next());
      }
    } catch (VarveException e) {
      if (!response.isCommitted()) {
        response.reset();
        throw e;
      }
      LOG.info("the result of query {} is cut off: {}", query.id(), e.describe());
      CutOff.mark(request);
    } catch (IOException e) {
      query.cancel(
          new VarveException(
              ErrorCode.QUERY_CANCELED,
              "the query was cancelled: its client stopped reading the result"));
      CutOff.mark(request);
    }
  }

  private static ResultBuffer.Page next(ClientQuery query, long token) throws InterruptedException {
    return query.fetch(token, Integer.MAX_VALUE, QueryController.PAGE_BYTES, WAIT);
  }
}
