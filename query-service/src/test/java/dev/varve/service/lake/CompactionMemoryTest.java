package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.layout.FileFacts;
import dev.varve.layout.Trust;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Overlapping sorted runs are merged in a memory limit far below their size. The ordinary build
 * merges tens of megabytes; {@code -Dvarve.compaction.scale=0.7} makes eight runs of over 250 MB,
 * two gigabytes in all.
 */
class CompactionMemoryTest {
  private static final int RUNS = 8;
  private static final long LIMIT_BYTES = 64L << 20;

  @Test
  void overlappingRunsAreMergedWithinTheQueryLimit(@TempDir Path folder, TestReporter reporter) {
    String scale = System.getProperty("varve.compaction.scale", "0.02");
    String rows = "tpch.\"sf" + scale + "\".lineitem";
    try (Lake lake = Lake.open(folder)) {
      lake.run("CREATE SCHEMA s");
      lake.run("USE lake.s");
      lake.run(
          "CREATE TABLE runs (k bigint, n integer, a uuid, b uuid, c uuid, d uuid) ORDERED BY (k, n)");
      for (int run = 0; run < RUNS; run++) {
        lake.run(
            "INSERT INTO runs SELECT l_orderkey, l_linenumber, gen_random_uuid(), gen_random_uuid(),"
                + " gen_random_uuid(), gen_random_uuid() FROM "
                + rows);
      }
      List<FileFacts> before = lake.files("runs");
      long bytes = before.stream().mapToLong(FileFacts::sizeBytes).sum();
      List<List<String>> sums =
          lake.rows("SELECT count(*), sum(k), sum(n), min(a), max(d) FROM runs");

      lake.set(EngineSettings.QUERY_MEMORY_LIMIT.name(), Long.toString(LIMIT_BYTES));
      long peak = lake.peakBytes("CALL system.compact('lake.s.runs')");

      lake.run("RESET ALL");
      List<FileFacts> after = lake.files("runs");
      reporter.publishEntry(
          "merged",
          "%d runs of %,d bytes in all into %d files, at most %,d of %,d bytes reserved"
              .formatted(before.size(), bytes, after.size(), peak, LIMIT_BYTES));
      assertThat(before.size()).isGreaterThanOrEqualTo(RUNS);
      assertThat(peak).isBetween(1L, LIMIT_BYTES);
      assertThat(lake.rows("SELECT count(*), sum(k), sum(n), min(a), max(d) FROM runs"))
          .isEqualTo(sums);
      assertThat(after)
          .allSatisfy(f -> assertThat(f.orderings().get(0).trust()).isEqualTo(Trust.VERIFIED));
      assertThat(lake.explain("SELECT k, n FROM runs ORDER BY k, n")).doesNotContain("SortExec");
    }
  }
}
