package dev.varve.service.query;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** How a whole result is sent in one answer. JSON is sent in pages, and is none of these. */
enum ResultFormat {
  /** RFC 4180 with a header; a null is empty, an empty text is {@code ""}. */
  CSV(new MediaType("text", "csv", StandardCharsets.UTF_8), "csv") {
    @Override
    void header(OutputStream out, Schema schema) throws IOException {
      StringBuilder line = new StringBuilder();
      for (Field field : schema.fields()) {
        line.append(line.isEmpty() ? "" : ",").append(quoted(field.name()));
      }
      write(out, line.append("\r\n"));
    }

    @Override
    void rows(OutputStream out, Schema schema, Batch batch, JsonMapper json) throws IOException {
      StringBuilder text = new StringBuilder();
      for (int row = 0; row < batch.rowCount(); row++) {
        for (int i = 0; i < batch.columns().size(); i++) {
          Object value = batch.columns().get(i).value(row);
          text.append(i == 0 ? "" : ",").append(value == null ? "" : quoted(ValueText.of(value)));
        }
        text.append("\r\n");
      }
      write(out, text);
    }
  },

  /** A row is an object on a line of its own, with values as in the pages. */
  NDJSON(new MediaType("application", "x-ndjson"), "ndjson") {
    @Override
    void header(OutputStream out, Schema schema) {
      Set<String> names = new HashSet<>();
      for (Field field : schema.fields()) {
        if (!names.add(field.name())) {
          throw new VarveException(
              ErrorCode.DUPLICATE_COLUMN,
              "two columns of the result are named '"
                  + field.name()
                  + "': an object has each name once",
              null,
              "give one of them another name, or fetch CSV or JSON",
              null);
        }
      }
    }

    @Override
    void rows(OutputStream out, Schema schema, Batch batch, JsonMapper json) throws IOException {
      List<Column> columns = batch.columns();
      try (JsonGenerator lines =
          json.writer().withRootValueSeparator("\n").createGenerator(new Unclosed(out))) {
        for (int row = 0; row < batch.rowCount(); row++) {
          lines.writeStartObject();
          for (int i = 0; i < columns.size(); i++) {
            lines.writeName(schema.fields().get(i).name());
            JsonValues.write(lines, columns.get(i), row);
          }
          lines.writeEndObject();
        }
      }
      out.write('\n');
    }
  };

  private final MediaType type;
  private final String extension;

  ResultFormat(MediaType type, String extension) {
    this.type = type;
    this.extension = extension;
  }

  MediaType type() {
    return type;
  }

  String extension() {
    return extension;
  }

  abstract void header(OutputStream out, Schema schema) throws IOException;

  abstract void rows(OutputStream out, Schema schema, Batch batch, JsonMapper json)
      throws IOException;

  /**
   * What a client wants by its header {@code Accept}; none for pages of JSON.
   *
   * @throws HttpMediaTypeNotAcceptableException if it wants what there is not
   */
  static Optional<ResultFormat> accepted(String header) throws HttpMediaTypeNotAcceptableException {
    List<MediaType> wanted;
    try {
      wanted = MediaType.parseMediaTypes(header);
    } catch (IllegalArgumentException e) {
      throw new HttpMediaTypeNotAcceptableException("Accept cannot be read: " + e.getMessage());
    }
    if (wanted.isEmpty()) {
      return Optional.empty();
    }
    wanted = new ArrayList<>(wanted);
    MimeTypeUtils.sortBySpecificity(wanted);
    for (MediaType one : wanted) {
      if (one.includes(MediaType.APPLICATION_JSON)) {
        return Optional.empty();
      }
      for (ResultFormat format : values()) {
        if (one.includes(format.type)) {
          return Optional.of(format);
        }
      }
    }
    throw new HttpMediaTypeNotAcceptableException(
        List.of(MediaType.APPLICATION_JSON, CSV.type, NDJSON.type));
  }

  private static String quoted(String text) {
    boolean plain =
        !text.isEmpty()
            && text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
  }

  private static void write(OutputStream out, CharSequence text) throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** A generator that is closed leaves the stream open. */
  private static final class Unclosed extends FilterOutputStream {
    Unclosed(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      out.write(bytes, from, count);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
