package dev.varve.bench.sorted;

import dev.varve.bench.arrow.ArrowSink;
import dev.varve.bench.contest.DuckDbContestant;
import dev.varve.bench.contest.VarveContestant;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * Two tables of events, ten of each key, sorted by (key, ts) in 40 files that our writer wrote and
 * verified. Every second event of one has an equal (key, ts) in the other. In the variant with
 * overlaps two in a hundred events are in the file after or before the one their key belongs to.
 */
final class SortedTables {
  static final int FILES = 40;
  static final int EVENTS_OF_A_KEY = 10;
  private static final List<String> NAMES = List.of("events", "others");

  private SortedTables() {}

  /** Makes what is not there yet, and gives DuckDB views on the same files. */
  static void prepare(
      VarveContestant varve,
      DuckDbContestant duckdb,
      boolean overlapping,
      long rows,
      Path temporary,
      PrintStream out) {
    for (String name : NAMES) {
      if (!complete(varve, name)) {
        out.println("writing " + rows + " rows of " + name + (overlapping ? ", overlapping" : ""));
        out.flush();
        create(varve, name, overlapping, rows, temporary);
      }
      duckdb.view(name, files(varve, name));
    }
  }

  /** A table is complete when it has all its files: it is dropped and made again otherwise. */
  private static boolean complete(VarveContestant varve, String name) {
    return texts(varve, "SHOW TABLES").contains(name) && files(varve, name).size() == FILES;
  }

  private static void create(
      VarveContestant varve, String name, boolean overlapping, long rows, Path temporary) {
    if (texts(varve, "SHOW TABLES").contains(name)) {
      run(varve, "DROP TABLE " + name);
    }
    run(
        varve,
        "CREATE TABLE "
            + name
            + " (key bigint, ts timestamp, device integer, amount decimal(12,2), state varchar)"
            + " ORDERED BY (key, ts)");
    // One file of each insert.
    run(varve, "SET execution.target_partitions = '1'");
    try (DuckDbContestant generator =
        new DuckDbContestant(Runtime.getRuntime().availableProcessors())) {
      for (int file = 0; file < FILES; file++) {
        Path part = temporary.resolve(name + "-" + file + ".parquet");
        generator.execute(
            "COPY (" + part(name, overlapping, rows, file) + ") TO '" + quoted(part) + "'");
        run(varve, "COPY " + name + " FROM '" + quoted(part) + "'");
        Files.delete(part);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep files in " + temporary, e);
    }
    run(varve, "RESET ALL");
  }

  private static String quoted(Path path) {
    return path.toAbsolutePath().toString().replace("'", "''");
  }

  /** DuckDB's query for the events of one file, in order. */
  private static String part(String name, boolean overlapping, long rows, int file) {
    long from = rows * file / FILES;
    long to = rows * (file + 1) / FILES;
    long margin = overlapping ? rows / FILES / 100 : 0;
    // The odd events at the end of a file's range are in the next file, those at its start in the
    // one before.
    String where =
        overlapping
            ? ("(i >= %1$d AND i < %2$d AND (i %% 2 = 0 OR %5$d = 0 OR i >= %3$d) AND (i %% 2 = 0 OR %5$d ="
                    + " %6$d OR i < %4$d))"
                    + " OR (%5$d > 0 AND i %% 2 = 1 AND i >= %1$d - %7$d AND i < %1$d)"
                    + " OR (%5$d < %6$d AND i %% 2 = 1 AND i >= %2$d AND i < %2$d + %7$d)")
                .formatted(from, to, from + margin, to - margin, file, FILES - 1, margin)
            : "i >= %d AND i < %d".formatted(from, to);
    String shift = name.equals("others") ? "(i % 2)" : "0";
    return "SELECT i // "
        + EVENTS_OF_A_KEY
        + " AS key, make_timestamp(1767225600000000 + 1000000 * ((i % "
        + EVENTS_OF_A_KEY
        + ") * 60 + (hash(i) % 58)::BIGINT + "
        + shift
        + ")) AS ts, (hash(i * 3) % 5000)::INTEGER AS device,"
        + " ((hash(i * 7) % 100000)::DECIMAL(12,2) / 100)::DECIMAL(12,2) AS amount,"
        + " 'state ' || (hash(i * 11) % 7) AS state"
        + " FROM range("
        + Math.max(0, from - margin)
        + ", "
        + Math.min(rows, to + margin)
        + ") t(i) WHERE "
        + where
        + " ORDER BY key, ts";
  }

  private static void run(VarveContestant varve, String sql) {
    varve.run(sql, ArrowSink.counting());
  }

  private static List<String> files(VarveContestant varve, String table) {
    return texts(
        varve,
        "SELECT DISTINCT path FROM system.file_facts WHERE trust = 'verified' AND table_name = '"
            + table
            + "' ORDER BY 1");
  }

  /** The first column of a small result. */
  private static List<String> texts(VarveContestant varve, String sql) {
    List<String> texts = new ArrayList<>();
    varve.run(
        sql,
        (VectorSchemaRoot batch) -> {
          for (int row = 0; row < batch.getRowCount(); row++) {
            texts.add(String.valueOf(batch.getVector(0).getObject(row)));
          }
        });
    return texts;
  }
}
