package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.testing.IcebergFiles;
import dev.varve.engine.testing.IcebergFiles.Place;
import dev.varve.layout.Trust;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our own tables after other engines have deleted rows from them, and their compaction. */
class LakeDeletesTest {
  private static final PartitionSpec WHOLE = PartitionSpec.unpartitioned();

  @TempDir Path folder;

  private static List<@Nullable Object> row(@Nullable Object... values) {
    return Arrays.asList(values);
  }

  private static void create(Lake lake, String options) {
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
    lake.run("CREATE TABLE t (k bigint, v varchar) " + options);
  }

  private static void deleteEqual(Lake lake, Long... keys) {
    Table table = lake.table("t");
    table
        .newRowDelta()
        .addDeletes(
            new IcebergFiles(table)
                .equality(WHOLE, null, List.of("k"), Arrays.stream(keys).map(k -> row(k)).toList()))
        .commit();
  }

  private static void deletePositions(Lake lake, String path, long... positions) {
    Table table = lake.table("t");
    table
        .newRowDelta()
        .validateFromSnapshot(table.currentSnapshot().snapshotId())
        .validateDataFilesExist(List.of(path))
        .addDeletes(
            new IcebergFiles(table)
                .positions(
                    WHOLE,
                    null,
                    LongStream.of(positions).mapToObj(p -> new Place(path, p)).toList()))
        .commit();
  }

  private static List<List<String>> keys(Lake lake) {
    return lake.rows("SELECT k FROM t ORDER BY k");
  }

  private static List<List<String>> of(long... keys) {
    return LongStream.of(keys).mapToObj(k -> List.of(Long.toString(k))).toList();
  }

  @Test
  void noAnswerComesFromStatisticsOfDeletedRowsAndTheOrderStays() {
    try (Lake lake = Lake.open(folder)) {
      create(lake, "ORDERED BY (k)");
      lake.run("INSERT INTO t SELECT k, 'v' FROM (VALUES (1), (2), (3), (4), (5)) AS r (k)");
      assertThat(lake.rows("SELECT count(*), min(k), max(k) FROM t"))
          .containsExactly(List.of("5", "1", "5"));
      deletePositions(lake, lake.files("t").getFirst().path(), 0);
      deleteEqual(lake, 5L);
      assertThat(lake.rows("SELECT count(*), min(k), max(k) FROM t"))
          .containsExactly(List.of("3", "2", "4"));
      assertThat(lake.rows("SELECT count(*) FROM t WHERE k > 4")).containsExactly(List.of("0"));
      assertThat(lake.rows("SELECT k FROM t ORDER BY k DESC LIMIT 1")).isEqualTo(of(4));
      assertThat(lake.rows("SELECT k FROM t ORDER BY k LIMIT 2")).isEqualTo(of(2, 3));
      assertThat(lake.explain("SELECT v FROM t ORDER BY k"))
          .contains("deletes=[1 position file, 1 equality file]")
          .doesNotContain("SortExec");
    }
  }

  @Test
  void compactionAppliesDeletesAndLaterOnesStillApply() {
    try (Lake lake = Lake.open(folder)) {
      create(lake, "ORDERED BY (k)");
      lake.run("INSERT INTO t VALUES (1, 'a'), (3, 'a'), (5, 'a'), (7, 'a')");
      lake.run("INSERT INTO t VALUES (2, 'b'), (4, 'b'), (6, 'b'), (8, 'b')");
      deletePositions(lake, lake.files("t").getFirst().path(), 0, 3);
      deleteEqual(lake, 4L, 5L);
      lake.run("INSERT INTO t VALUES (4, 'c')");
      List<List<String>> before = lake.rows("SELECT k, v FROM t ORDER BY k");
      assertThat(before).hasSize(5);

      lake.run("CALL system.compact('lake.s.t')");
      assertThat(lake.rows("SELECT k, v FROM t ORDER BY k")).isEqualTo(before);
      assertThat(lake.files("t"))
          .singleElement()
          .satisfies(f -> assertThat(f.recordCount()).isEqualTo(5))
          .satisfies(f -> assertThat(f.orderings().getFirst().trust()).isEqualTo(Trust.VERIFIED));
      deleteEqual(lake, 4L);
      assertThat(keys(lake)).isEqualTo(of(2, 3, 6, 8));
    }
  }

  @Test
  void aFileOfWhichNothingIsLeftGoesAway() {
    try (Lake lake = Lake.open(folder)) {
      create(lake, "");
      lake.run("INSERT INTO t VALUES (1, 'a')");
      lake.run("INSERT INTO t VALUES (2, 'b')");
      deleteEqual(lake, 1L, 2L);
      lake.run("CALL system.compact('lake.s.t')");
      assertThat(lake.files("t")).isEmpty();
      assertThat(keys(lake)).isEmpty();
    }
  }

  @Test
  void anEqualityDeleteDuringCompactionStillApplies() {
    try (Lake lake = Lake.open(folder)) {
      create(lake, "ORDERED BY (k)");
      lake.run("INSERT INTO t VALUES (1, 'a'), (2, 'a')");
      lake.run("INSERT INTO t VALUES (3, 'b'), (4, 'b')");
      lake.index().atNextStage(() -> deleteEqual(lake, 2L));
      lake.run("CALL system.compact('lake.s.t')");
      assertThat(lake.files("t")).hasSize(1);
      assertThat(keys(lake)).isEqualTo(of(1, 3, 4));
      Table table = lake.table("t");
      table.newScan().planFiles().forEach(task -> assertThat(task.deletes()).hasSize(1));
    }
  }

  @Test
  void aPositionDeleteDuringCompactionIsNotLost() {
    try (Lake lake = Lake.open(folder)) {
      create(lake, "ORDERED BY (k)");
      lake.run("INSERT INTO t VALUES (1, 'a'), (2, 'a')");
      lake.run("INSERT INTO t VALUES (3, 'b'), (4, 'b')");
      String path = lake.files("t").getFirst().path();
      lake.index().atNextStage(() -> deletePositions(lake, path, 0));
      lake.run("CALL system.compact('lake.s.t')");
      assertThat(keys(lake)).hasSize(3).doesNotContain(List.of("1"));
      assertThat(lake.files("t"))
          .singleElement()
          .satisfies(f -> assertThat(f.recordCount()).isEqualTo(3));
    }
  }

  @Test
  void compactionDuringADeleteByPositionMakesTheDeleteFail() {
    try (Lake lake = Lake.open(folder)) {
      create(lake, "ORDERED BY (k)");
      lake.run("INSERT INTO t VALUES (1, 'a')");
      lake.run("INSERT INTO t VALUES (2, 'b')");
      Table table = lake.table("t");
      String path = lake.files("t").getFirst().path();
      var delete =
          table
              .newRowDelta()
              .validateFromSnapshot(table.currentSnapshot().snapshotId())
              .validateDataFilesExist(List.of(path))
              .addDeletes(
                  new IcebergFiles(table).positions(WHOLE, null, List.of(new Place(path, 0))));
      lake.run("CALL system.compact('lake.s.t')");
      assertThatThrownBy(delete::commit).isInstanceOf(ValidationException.class);
      assertThat(keys(lake)).isEqualTo(of(1, 2));
    }
  }

  @Test
  void tablesThatKeepTheLineageOfRowsAreReadButNotCompacted() {
    try (Lake lake = Lake.open(folder)) {
      create(lake, "");
      lake.run("INSERT INTO t VALUES (1, 'a'), (2, 'a')");
      lake.run("INSERT INTO t VALUES (3, 'b')");
      Table table = lake.table("t");
      table.updateProperties().set("format-version", "3").commit();
      Map<String, DataFile> files = new HashMap<>();
      table.newScan().planFiles().forEach(t -> files.put(t.file().location(), t.file()));
      List<Place> places = files.keySet().stream().map(path -> new Place(path, 0)).toList();
      var delta = table.newRowDelta();
      new IcebergFiles(table)
          .vectors(places, files, Map.of())
          .deleteFiles()
          .forEach(delta::addDeletes);
      delta.commit();
      assertThat(keys(lake)).isEqualTo(of(2));
      assertThat(lake.explain("SELECT k FROM t")).contains("deletes=[2 deletion vectors]");
      assertThatThrownBy(() -> lake.run("CALL system.compact('lake.s.t')"))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FEATURE_NOT_SUPPORTED))
          .hasMessageContaining("lineage of rows");
      assertThat(keys(lake)).isEqualTo(of(2));
    }
  }
}
