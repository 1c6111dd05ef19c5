package dev.varve.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.SinkFactory.CopyTarget;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.type.Schema;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyTest {
  @TempDir Path folder;

  private final Schema schema = Samples.allTypes();

  @Test
  void duckDbReadsEveryTypeAsItWasWritten() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      rows.add(Samples.row(schema, random));
    }
    Path file = folder.resolve("all.parquet");
    copy(file, Map.of("page_rows", "1000", "row_group_rows", "7001"), rows, 4, random);
    assertThat(DuckDb.rows("SELECT * FROM '" + file + "'", schema)).isEqualTo(DuckDb.normal(rows));
  }

  @Test
  void filesAreTheSameForOneTaskAndMany() throws Exception {
    Random random = new Random(5);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(Samples.row(schema, random));
    }
    Map<String, String> options = Map.of("row_group_bytes", "200kb", "page_rows", "777");
    byte[] one = copy(folder.resolve("1.parquet"), options, rows, 1, new Random(1));
    byte[] many = copy(folder.resolve("4.parquet"), options, rows, 4, new Random(1));
    byte[] otherEncodings = copy(folder.resolve("e.parquet"), options, rows, 3, new Random(2));
    assertThat(many).isEqualTo(one);
    assertThat(otherEncodings).isEqualTo(one);
  }

  @Test
  void nothingIsReplacedUnlessAskedTo() throws Exception {
    Path file = folder.resolve("x.parquet");
    copy(file, Map.of(), rows(10), 1, new Random(1));
    byte[] before = Files.readAllBytes(file);
    InsertTest.assertCode(
        () -> copy(file, Map.of(), rows(20), 1, new Random(1)), ErrorCode.INVALID_PARAMETER);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    copy(file, Map.of("overwrite", "true"), rows(20), 1, new Random(1));
    assertThat(DuckDb.raw("SELECT count(*) FROM '" + file + "'")).isEqualTo(List.of(List.of("20")));
    assertThat(names()).containsExactly("x.parquet");
  }

  @Test
  void aFolderGetsPartsThatTogetherAreTheRows() throws Exception {
    Path out = folder.resolve("out");
    copyTo(out, Map.of("target_file_bytes", "100kb", "row_group_rows", "1000"), rows(5000));
    assertThat(names(out)).hasSizeGreaterThan(2).allMatch(n -> n.matches("part-\\d+\\.parquet"));
    assertThat(DuckDb.raw("SELECT count(*) FROM '" + out + "/*.parquet'"))
        .isEqualTo(List.of(List.of("5000")));
    InsertTest.assertCode(() -> copyTo(out, Map.of(), rows(5)), ErrorCode.INVALID_PARAMETER);
    copyTo(out, Map.of("overwrite", "yes"), rows(7));
    assertThat(names(out)).containsExactly("part-00000.parquet");
    assertThat(DuckDb.raw("SELECT count(*) FROM '" + out + "/*.parquet'"))
        .isEqualTo(List.of(List.of("7")));
  }

  @Test
  void aCopyThatDoesNotEndLeavesNothing() throws Exception {
    Path file = folder.resolve("never.parquet");
    try (FakeWork work = FakeWork.of(2);
        TableSink sink = plan(file, Map.of()).open(work)) {
      sink.write(Samples.batch(schema, rows(100)));
      assertThat(Files.exists(file)).isFalse();
      work.canceled = true;
      InsertTest.assertCode(sink::finish, ErrorCode.QUERY_CANCELED);
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void anUnwritablePlaceIsAClearError() throws Exception {
    Path notAFolder = Files.writeString(folder.resolve("file"), "x");
    try (FakeWork work = FakeWork.of(2)) {
      assertThatThrownBy(
              () -> {
                try (TableSink sink = plan(notAFolder.resolve("x.parquet"), Map.of()).open(work)) {
                  sink.write(Samples.batch(schema, rows(1)));
                }
              })
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR);
                assertThat(e).hasMessageContaining("not a directory");
              });
      assertThat(work.openReservations()).isZero();
    }
  }

  @Test
  void whatCannotBeHonouredIsRefused() {
    Path file = folder.resolve("x.parquet");
    InsertTest.assertCode(
        () -> plan(file, Map.of("target_file_bytes", "1MB")), ErrorCode.INVALID_PARAMETER);
    InsertTest.assertCode(
        () -> plan(file, Map.of("overwrite", "maybe")), ErrorCode.INVALID_PARAMETER);
    InsertTest.assertCode(
        () -> plan(file, Map.of("overwite", "true")), ErrorCode.INVALID_PARAMETER);
    InsertTest.assertCode(
        () -> plan(folder.resolve("x.csv"), Map.of()), ErrorCode.FEATURE_NOT_SUPPORTED);
    InsertTest.assertCode(
        () -> plan(file, Map.of("format", "orc")), ErrorCode.FEATURE_NOT_SUPPORTED);
  }

  private SinkPlan plan(Path path, Map<String, String> options) {
    return new WriterSinkFactory(LayoutIndex.none())
        .copy(new CopyTarget(path.toString(), new LocalFileIO(), options, schema, List.of()));
  }

  private void copyTo(Path path, Map<String, String> options, List<List<@Nullable Object>> rows)
      throws Exception {
    try (FakeWork work = FakeWork.of(2);
        TableSink sink = plan(path, options).open(work)) {
      sink.write(Samples.batch(schema, rows));
      sink.finish();
    }
  }

  private List<List<@Nullable Object>> rows(int count) {
    Random random = new Random(count);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(Samples.row(schema, random));
    }
    return rows;
  }

  private List<String> names() throws IOException {
    return names(folder);
  }

  private static List<String> names(Path in) throws IOException {
    try (Stream<Path> files = Files.list(in)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  private byte[] copy(
      Path file,
      Map<String, String> options,
      List<List<@Nullable Object>> rows,
      int tasks,
      Random encodings)
      throws Exception {
    try (FakeWork work = FakeWork.of(tasks);
        TableSink sink =
            new WriterSinkFactory(LayoutIndex.none())
                .copy(
                    new CopyTarget(file.toString(), new LocalFileIO(), options, schema, List.of()))
                .open(work)) {
      for (int from = 0; from < rows.size(); from += 1500) {
        Batch batch = Samples.batch(schema, rows.subList(from, Math.min(rows.size(), from + 1500)));
        sink.write(Samples.encoded(batch, encodings));
      }
      sink.finish();
      sink.close();
      assertThat(work.reserved()).isZero();
      assertThat(work.openReservations()).isZero();
    }
    return Files.readAllBytes(file);
  }
}
