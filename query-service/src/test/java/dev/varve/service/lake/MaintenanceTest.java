package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Expiry and orphans by SQL. */
@Timeout(120)
class MaintenanceTest {
  @TempDir private Path folder;
  private Lake lake;

  @BeforeEach
  void open() {
    lake = Lake.open(folder);
    lake.run("CREATE SCHEMA s");
    lake.run("CREATE TABLE lake.s.t (k BIGINT) ORDERED BY (k)");
    for (int i = 0; i < 4; i++) {
      lake.run("INSERT INTO lake.s.t SELECT * FROM (VALUES (" + i + "), (" + (i + 10) + ")) v(k)");
    }
    lake.run("CALL system.compact('lake.s.t')");
  }

  @AfterEach
  void close() {
    lake.close();
  }

  private long dataFiles() {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".parquet")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertAllRows() {
    assertThat(lake.rows("SELECT count(*), sum(k) FROM lake.s.t").toString()).contains("8", "52");
  }

  @Test
  void expiryRemovesTheFilesThatOnlyExpiredSnapshotsNamed() {
    long before = dataFiles();
    assertThat(before).isEqualTo(5);
    assertThat(
            lake.rows(
                "CALL system.expire_snapshots(table => 'lake.s.t', older_than => '0 seconds',"
                    + " retain_last => 1, dry_run => true)"))
        .isNotEmpty();
    assertThat(dataFiles()).isEqualTo(before);
    lake.run(
        "CALL system.expire_snapshots(table => 'lake.s.t', older_than => '0 seconds',"
            + " retain_last => 1)");
    assertThat(dataFiles()).isEqualTo(1);
    assertAllRows();
  }

  @Test
  void aRunningStatementKeepsWhatItReads() {
    Session session = lake.newSession();
    try (QueryHandle query = session.submit("SELECT k FROM lake.s.t", List.of())) {
      query.schema();
      lake.run("INSERT INTO lake.s.t SELECT * FROM (VALUES (100)) v(k)");
      lake.run("CALL system.compact('lake.s.t')");
      assertThat(
              lake.rows(
                      "CALL system.expire_snapshots(table => 'lake.s.t', older_than => '0 seconds',"
                          + " retain_last => 1)")
                  .toString())
          .contains("in use");
      long sum = 0;
      for (Batch batch = query.nextBatch(); batch != null; batch = query.nextBatch()) {
        for (int row = 0; row < batch.rowCount(); row++) {
          sum += (Long) Objects.requireNonNull(batch.columns().get(0).value(row));
        }
      }
      assertThat(sum).isEqualTo(52);
    }
  }

  @Test
  void orphansGoAndWhatATableNamesStays() throws IOException {
    Path orphan;
    try (Stream<Path> files = Files.walk(folder)) {
      Path data = files.filter(f -> f.toString().endsWith(".parquet")).findFirst().orElseThrow();
      orphan = Files.copy(data, data.resolveSibling("orphan.parquet"));
    }
    Files.setLastModifiedTime(orphan, FileTime.from(Instant.EPOCH.plusSeconds(1)));
    long before = dataFiles();
    lake.run("CALL system.remove_orphan_files(table => 'lake.s.t', dry_run => true)");
    assertThat(dataFiles()).isEqualTo(before);
    lake.run("CALL system.remove_orphan_files(table => 'lake.s.t')");
    assertThat(orphan).doesNotExist();
    assertThat(dataFiles()).isEqualTo(before - 1);
    assertAllRows();
  }
}
