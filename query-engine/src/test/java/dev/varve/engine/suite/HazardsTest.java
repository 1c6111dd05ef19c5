package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.testing.ParquetFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that other engines had with files of a certain kind, or only sometimes. */
class HazardsTest {
  private static final String BIGINT = "message m { optional int64 k; optional int64 v; }";

  private record Folder(Path path) implements ParquetTables {
    @Override
    public List<String> tables() {
      try (var tables = Files.list(path)) {
        return tables.map(table -> table.getFileName().toString()).toList();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public String pattern(String table) {
      return path.resolve(table) + "/*.parquet";
    }

    Path file(String table, String name) {
      try {
        return Files.createDirectories(path.resolve(table)).resolve(name + ".parquet");
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static List<List<Long>> rows(long from, long to) {
    return LongStream.range(from, to).mapToObj(k -> List.of(k, k)).toList();
  }

  private static SuiteEngine engine(Folder folder, Settings settings) {
    return new SuiteEngine(folder, settings, MemoryPools.greedy(1L << 28));
  }

  /** A9: a file without statistics may hold anything, also the greatest value. */
  @ParameterizedTest
  @EnumSource
  void theTopRowMayBeInTheFileWithoutStatistics(Configuration configuration, @TempDir Path path) {
    Folder folder = new Folder(path);
    ParquetFile.of(BIGINT).write(folder.file("t", "a"), rows(0, 100));
    ParquetFile.of(BIGINT)
        .with(writer -> writer.withStatisticsEnabled(false))
        .write(folder.file("t", "b"), rows(500, 600));
    ParquetFile.of(BIGINT).write(folder.file("t", "c"), rows(200, 300));
    try (SuiteEngine engine = engine(folder, configuration.settings())) {
      assertThat(engine.rows("SELECT k FROM t ORDER BY k DESC LIMIT 1"))
          .containsExactly(List.of("599"));
      assertThat(engine.rows("SELECT max(k), min(k), count(*) FROM t"))
          .containsExactly(List.of("599", "0", "300"));
      assertThat(engine.rows("SELECT k FROM t WHERE k > 598")).containsExactly(List.of("599"));
      assertThat(engine.rows("SELECT k + 1 AS x FROM t ORDER BY k + 1 DESC LIMIT 1"))
          .containsExactly(List.of("600"));
    }
  }

  /** A11: strings that agree as far as a cut bound goes. */
  @ParameterizedTest
  @EnumSource
  void boundsThatWereCutOrderNothing(Configuration configuration, @TempDir Path path) {
    Folder folder = new Folder(path);
    String same = "a".repeat(80);
    ParquetFile.of("message m { optional binary s (STRING); }")
        .write(folder.file("t", "a"), List.of(List.of(same + "1"), List.of(same + "3")));
    ParquetFile.of("message m { optional binary s (STRING); }")
        .write(folder.file("t", "b"), List.of(List.of(same + "0"), List.of(same + "2")));
    try (SuiteEngine engine = engine(folder, configuration.settings())) {
      assertThat(engine.rows("SELECT right(s, 1) FROM t ORDER BY s"))
          .containsExactly(List.of("0"), List.of("1"), List.of("2"), List.of("3"));
      assertThat(engine.rows("SELECT right(min(s), 1), right(max(s), 1) FROM t"))
          .containsExactly(List.of("0", "3"));
      assertThat(engine.rows("SELECT count(*) FROM t WHERE s > '" + same + "2'"))
          .containsExactly(List.of("1"));
    }
  }

  /** C1: what a join's build side tells the other side's scan is complete, every time. */
  @Test
  void filtersOfABuildSideInManyPartitionsLoseNoRow(@TempDir Path path) {
    Folder folder = new Folder(path);
    int rows = 20_000;
    for (int i = 0; i < 8; i++) {
      long from = (long) i * rows / 8;
      List<List<Long>> part = rows(from, from + rows / 8);
      ParquetFile.of(BIGINT).rowsPerGroup(1000).write(folder.file("t", "p" + i), part);
      ParquetFile.of(BIGINT).rowsPerGroup(1000).write(folder.file("u", "p" + i), part);
    }
    Settings partitioned =
        Configuration.DEFAULT
            .settings()
            .with(EngineSettings.TARGET_PARTITIONS, 8)
            .with(EngineSettings.COLLECT_BUILD_BYTES, 0L)
            .with(EngineSettings.COLLECT_BUILD_ROWS, 0L);
    List<List<String>> right =
        Rows.sorted(List.of(List.of("1"), List.of(Integer.toString(rows - 1))));
    List<Integer> wrong = new ArrayList<>();
    try (SuiteEngine engine = engine(folder, partitioned)) {
      String sql =
          "SELECT t.k FROM t JOIN u ON t.k = u.k WHERE u.v = 1 OR u.v = %d".formatted(rows - 1);
      for (int run = 0; run < 100; run++) {
        if (!Rows.sorted(engine.rows(sql)).equals(right)) {
          wrong.add(run);
        }
      }
    }
    assertThat(wrong).as("runs that lost rows").isEmpty();
  }
}
