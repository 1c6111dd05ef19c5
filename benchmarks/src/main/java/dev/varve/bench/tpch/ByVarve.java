package dev.varve.bench.tpch;

import dev.varve.bench.arrow.ArrowSink;
import dev.varve.bench.contest.Engines;
import dev.varve.bench.contest.VarveContestant;
import dev.varve.engine.config.Settings;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Map;

/** TPC-H's tables through our own writer. */
final class ByVarve {
  private ByVarve() {}

  static void write(String table, double scale, Path file) {
    int cores = Runtime.getRuntime().availableProcessors();
    String schema =
        "sf" + new BigDecimal(Double.toString(scale)).stripTrailingZeros().toPlainString();
    try (VarveContestant engine =
        new VarveContestant(Engines.overFiles(Map.of(), cores, Settings.DEFAULTS))) {
      engine.run(
          "COPY tpch.\""
              + schema
              + "\"."
              + table
              + " TO '"
              + file.toString().replace("'", "''")
              + "'",
          ArrowSink.counting());
    }
  }
}
