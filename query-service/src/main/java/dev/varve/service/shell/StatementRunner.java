package dev.varve.service.shell;

import dev.varve.service.client.ResultPage;
import dev.varve.service.client.ResultPage.ResultColumn;
import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs one statement and prints what it answers. {@link #cancel} may be called from any thread. */
final class StatementRunner {
  private static final int PAGE_ROWS = 10_000;
  private static final int PROGRESS_MILLIS = 250;
  private static final long SHOW_PROGRESS_AFTER_NANOS = 500_000_000L;
  private static final Set<String> CHANGES = Set.of("INSERT", "COPY", "CREATE TABLE AS");

  private final VarveClient client;
  private final PrintWriter out;
  private final @Nullable PrintWriter progressLine;
  private volatile @Nullable String runningId;
  private OutputFormat format;
  private boolean timing;

  /**
   * @param progressLine a terminal that a line can be overwritten on, or null
   */
  StatementRunner(
      VarveClient client,
      OutputFormat format,
      PrintWriter out,
      @Nullable PrintWriter progressLine) {
    this.client = client;
    this.format = format;
    this.out = out;
    this.progressLine = progressLine;
  }

  boolean toggleTiming() {
    timing = !timing;
    return timing;
  }

  /** Throws what the service answers. */
  void run(String sql) {
    long start = System.nanoTime();
    String id = client.submit(sql);
    runningId = id;
    try {
      print(id, start);
    } finally {
      runningId = null;
      out.flush();
    }
    if (timing) {
      double millis = (System.nanoTime() - start) / 1e6;
      out.println(String.format(Locale.ROOT, "Time: %.1f ms", millis));
      out.flush();
    }
  }

  void cancel() {
    String id = runningId;
    if (id != null) {
      try {
        client.cancel(id);
      } catch (ServerError e) {
        // It ended in the meantime, or the service is gone, which the next fetch reports.
      }
    }
  }

  private void print(String id, long start) {
    ResultPrinter printer = format.printer(out);
    boolean begun = false;
    boolean progressShown = false;
    String changed = null;
    long token = 0;
    while (token >= 0) {
      ResultPage page;
      try {
        page = client.fetch(id, token, PAGE_ROWS, PROGRESS_MILLIS);
      } catch (ServerError e) {
        clearProgress(progressShown);
        throw e;
      }
      List<ResultColumn> columns = page.columns();
      boolean idle = page.nextToken() == token;
      if (idle) {
        progressShown |= showProgress(page, start);
      } else if (columns != null) {
        clearProgress(progressShown);
        progressShown = false;
        if (isCount(page)) {
          changed = page.statement() + " " + page.rows().getFirst().get(0).asString();
        } else if (columns.isEmpty() && page.nextToken() < 0 && !begun && page.rows().isEmpty()) {
          out.println(page.statement() == null ? "OK" : page.statement());
          return;
        } else if (changed == null) {
          if (!begun) {
            printer.begin(columns);
            begun = true;
          }
          printer.rows(page.rows());
        }
      }
      token = page.nextToken();
    }
    if (changed != null) {
      out.println(changed);
    } else if (begun) {
      printer.end();
    }
  }

  /** Whether a page holds the one number of a change; the page that ends it may come after it. */
  private boolean isCount(ResultPage page) {
    String statement = page.statement();
    return format == OutputFormat.TABLE
        && statement != null
        && CHANGES.contains(statement)
        && page.rows().size() == 1;
  }

  private boolean showProgress(ResultPage page, long start) {
    PrintWriter terminal = progressLine;
    if (terminal == null || System.nanoTime() - start < SHOW_PROGRESS_AFTER_NANOS) {
      return false;
    }
    JsonNode p = page.progress();
    long total = p.path("rowsTotal").asLong(0);
    terminal.print(
        String.format(
            Locale.ROOT,
            "\r\033[K%s %.1f s  %,d%s rows, %,d MB read, %,d MB memory",
            page.state().toLowerCase(Locale.ROOT),
            (System.nanoTime() - start) / 1e9,
            p.path("rowsRead").asLong(0),
            total > 0 ? String.format(Locale.ROOT, " of %,d", total) : "",
            p.path("bytesRead").asLong(0) >> 20,
            p.path("memoryBytes").asLong(0) >> 20));
    terminal.flush();
    return true;
  }

  private void clearProgress(boolean shown) {
    PrintWriter terminal = progressLine;
    if (shown && terminal != null) {
      terminal.print("\r\033[K");
      terminal.flush();
    }
  }
}
