package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPool;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a scan reads into is reserved, shrinks to what is needed, and is refused by name. */
class ScanMemoryTest {
  private static final int ROWS = 60_000;
  private static final Settings SETTINGS =
      Settings.DEFAULTS.with(EngineSettings.TARGET_PARTITIONS, 1);

  @TempDir Path folder;

  private Path file;

  @BeforeEach
  void write() {
    file = folder.resolve("t.parquet");
    Random random = new Random(7);
    ParquetFile.of("message m { required int64 a; required int64 b; required binary c (STRING); }")
        .rowsPerGroup(20_000)
        .rowsPerPage(5_000)
        .write(
            file,
            LongStream.range(0, ROWS)
                .mapToObj(k -> List.<Object>of(k, random.nextLong(), "c" + k % 5))
                .toList());
  }

  private PhysicalPlan scan() {
    return ParquetFilesSource.open(file.toString(), new LocalFileIO(), ScanServices.create())
        .scan(new ScanRequest(List.of(0, 1, 2), SETTINGS));
  }

  private long rows(MemoryPool pool) {
    long rows = 0;
    try (BatchStream stream = scan().execute(0, PlanRunner.task(SETTINGS, pool))) {
      for (Batch batch = stream.next(); batch != null; batch = stream.next()) {
        assertThat(pool.reserved()).isPositive();
        rows += batch.rowCount();
      }
    }
    return rows;
  }

  @Test
  void buffersAreReservedAndGivenBack() {
    MemoryPool pool = MemoryPools.greedy(64 << 20);
    assertThat(rows(pool)).isEqualTo(ROWS);
    assertThat(pool.reserved()).isZero();
    // Two columns of about 200 kB, read ahead.
    assertThat(pool.peak()).isGreaterThan(200_000);
  }

  @Test
  void whereMemoryIsShortNothingIsReadAhead() {
    MemoryPool ample = MemoryPools.greedy(64 << 20);
    rows(ample);
    MemoryPool pool = MemoryPools.greedy(ample.peak() / 2);
    assertThat(rows(pool)).isEqualTo(ROWS);
    assertThat(pool.reserved()).isZero();
  }

  @Test
  void aPageThatDoesNotFitIsRefusedByName() {
    MemoryPool pool = MemoryPools.greedy(20_000);
    assertThatThrownBy(() -> rows(pool))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED);
              assertThat(e.getMessage()).startsWith("scan of '").contains("t.parquet");
            });
    assertThat(pool.reserved()).isZero();
  }

  @Test
  void aStreamThatIsLeftEarlyGivesAllBack() {
    MemoryPool pool = MemoryPools.greedy(64 << 20);
    try (BatchStream stream = scan().execute(0, PlanRunner.task(SETTINGS, pool))) {
      stream.next();
      assertThat(pool.reserved()).isPositive();
    }
    assertThat(pool.reserved()).isZero();
  }
}
