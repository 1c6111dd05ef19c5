package dev.varve.engine.spill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.kernel.RandomColumns;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpillFileTest {
  private static final long BATCH_BYTES = 64 << 10;

  @TempDir Path root;

  private static Schema allTypes() {
    List<Field> fields = new ArrayList<>();
    for (DataType type : RandomColumns.TYPES) {
      fields.add(Field.of(type.toString(), type));
    }
    fields.add(Field.of("nothing", DataType.NULL));
    return new Schema(fields);
  }

  private static Batch random(RandomColumns data, Schema schema, int rows) {
    List<Column> columns = new ArrayList<>();
    for (int c = 0; c < schema.size(); c++) {
      DataType type = schema.type(c);
      columns.add(
          type.kind() == TypeKind.NULL
              ? ConstantColumn.nulls(type, rows)
              : data.column(type, rows, data.encoding(), data.random().nextBoolean(), true));
    }
    return new Batch(schema, columns, rows);
  }

  private static List<List<@Nullable Object>> rows(Batch batch) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < batch.rowCount(); i++) {
      List<@Nullable Object> row = new ArrayList<>();
      for (Column column : batch.columns()) {
        Object value = column.value(i);
        row.add(
            value instanceof byte[] bytes
                ? List.of(java.util.HexFormat.of().formatHex(bytes))
                : value);
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<List<@Nullable Object>> rows(BatchStream stream) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (stream) {
      Batch batch;
      while ((batch = stream.next()) != null) {
        rows.addAll(rows(batch));
      }
    }
    return rows;
  }

  @Test
  void givesBackEveryTypeInEveryEncoding() {
    long seed = new Random().nextLong();
    RandomColumns data = new RandomColumns(seed);
    Schema schema = allTypes();
    try (SpillSpace space = SpillSpace.open(root, Long.MAX_VALUE);
        SpillScope scope = space.ofQuery("q1", 0)) {
      for (long batchBytes : new long[] {1, 500, BATCH_BYTES}) {
        SpillFile file = scope.create("test", schema, batchBytes);
        List<List<@Nullable Object>> written = new ArrayList<>();
        for (int b = 0; b < 20; b++) {
          Batch batch = random(data, schema, 1 + data.random().nextInt(300));
          written.addAll(rows(batch));
          file.append(batch);
        }
        assertThat(rows(file.read())).as("seed %d", seed).isEqualTo(written);
        assertThat(file.rows()).isEqualTo(written.size());
        file.close();
      }
      assertThat(space.usedBytes()).isZero();
      assertThat(space.files()).isEmpty();
    }
  }

  @Test
  void isAnArrowStreamThatOthersRead() throws IOException {
    Schema schema =
        new Schema(
            List.of(
                Field.of("i", DataType.INTEGER),
                Field.of("l", DataType.BIGINT),
                Field.of("d", DataType.DOUBLE),
                Field.of("b", DataType.BOOLEAN),
                Field.of("n", DataType.decimal(38, 10)),
                Field.of("s", DataType.VARCHAR),
                Field.of("day", DataType.DATE)));
    RandomColumns data = new RandomColumns(7);
    try (SpillSpace space = SpillSpace.open(root, Long.MAX_VALUE);
        SpillScope scope = space.ofQuery("q1", 0)) {
      SpillFile file = scope.create("test", schema, BATCH_BYTES);
      List<List<@Nullable Object>> written = new ArrayList<>();
      for (int b = 0; b < 10; b++) {
        Batch batch = random(data, schema, 1 + data.random().nextInt(500));
        written.addAll(rows(batch));
        file.append(batch);
      }
      file.flush();
      List<List<@Nullable Object>> read = new ArrayList<>();
      try (InputStream in = Files.newInputStream(space.files().get(0));
          RootAllocator allocator = new RootAllocator();
          ArrowStreamReader reader = new ArrowStreamReader(in, allocator)) {
        while (reader.loadNextBatch()) {
          for (int i = 0; i < reader.getVectorSchemaRoot().getRowCount(); i++) {
            List<@Nullable Object> row = new ArrayList<>();
            for (FieldVector vector : reader.getVectorSchemaRoot().getFieldVectors()) {
              row.add(ours(vector.getName(), vector.getObject(i)));
            }
            read.add(row);
          }
        }
      }
      assertThat(read).isEqualTo(written);
    }
  }

  private static @Nullable Object ours(String column, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Integer day when column.equals("day") -> LocalDate.ofEpochDay(day);
      case BigDecimal number -> number;
      case org.apache.arrow.vector.util.Text text -> text.toString();
      default -> value;
    };
  }

  @Test
  void cutsBatchesToTheSizeThatReadersCanHold() {
    Schema schema = new Schema(List.of(Field.of("s", DataType.VARCHAR)));
    byte[] data = new byte[1000];
    Column entry = new BytesColumn(DataType.VARCHAR, data, new int[] {0, 1000}, null);
    Batch codes =
        new Batch(schema, List.of(new DictionaryColumn(entry, new int[5000], 0, 5000, null)), 5000);
    Batch constant = new Batch(schema, List.of(new ConstantColumn(entry, 5000)), 5000);
    try (SpillSpace space = SpillSpace.open(root, Long.MAX_VALUE);
        SpillScope scope = space.ofQuery("q1", 0)) {
      SpillFile file = scope.create("test", schema, 10_000);
      file.append(codes);
      file.append(constant);
      assertThat(file.largestBatchBytes()).isBetween(9_000L, 10_100L);
      assertThat(rows(file.read())).hasSize(10_000);
      SpillFile wide = scope.create("test", schema, 100);
      wide.append(codes.slice(0, 3));
      assertThat(wide.largestBatchBytes()).isBetween(1000L, 1100L);
    }
  }

  @Test
  void readsSegmentsWhileOthersAreAppended() {
    Schema schema = new Schema(List.of(Field.of("l", DataType.BIGINT)));
    RandomColumns data = new RandomColumns(3);
    try (SpillSpace space = SpillSpace.open(root, Long.MAX_VALUE);
        SpillScope scope = space.ofQuery("q1", 0)) {
      SpillFile file = scope.create("test", schema, 1000);
      for (int b = 0; b < 50; b++) {
        Batch batch = random(data, schema, 400);
        SpillFile.Segment segment = file.append(batch);
        file.flush();
        assertThat(rows(file.read(segment))).isEqualTo(rows(batch));
      }
      assertThat(rows(file.read())).hasSize(50 * 400);
    }
  }

  @Test
  void belongsToItsOwnerAloneAndIsGoneWithTheQuery() throws IOException {
    Schema schema = new Schema(List.of(Field.of("l", DataType.BIGINT)));
    try (SpillSpace space = SpillSpace.open(root.resolve("made/here"), Long.MAX_VALUE)) {
      SpillScope scope = space.ofQuery("../../etc/q1", 0);
      scope.create("test", schema, 1000).append(random(new RandomColumns(1), schema, 100));
      Path file = space.files().get(0);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
          .isEqualTo("rwx------");
      assertThat(file.normalize()).startsWith(root.resolve("made/here"));
      assertThat(scope.openFiles()).isEqualTo(1);
      scope.close();
      assertThat(space.files()).isEmpty();
      assertThat(space.usedBytes()).isZero();
    }
    try (var left = Files.list(root.resolve("made/here"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void removesWhatDeadProcessesLeftAndNothingElse() throws IOException {
    Path dead = Files.createDirectory(root.resolve("varve-spill-dead"));
    Files.createFile(root.resolve("varve-spill-dead.lock"));
    Files.writeString(dead.resolve("q1-1.arrows"), "x");
    Files.createDirectory(root.resolve("varve-spill-unlocked"));
    Files.writeString(root.resolve("notes.txt"), "keep");
    Schema schema = new Schema(List.of(Field.of("l", DataType.BIGINT)));
    try (SpillSpace living = SpillSpace.open(root, Long.MAX_VALUE);
        SpillScope scope = living.ofQuery("q1", 0)) {
      assertThat(dead).doesNotExist();
      assertThat(root.resolve("varve-spill-dead.lock")).doesNotExist();
      assertThat(root.resolve("varve-spill-unlocked")).doesNotExist();
      assertThat(root.resolve("notes.txt")).exists();
      SpillFile file = scope.create("test", schema, 1000);
      Batch batch = random(new RandomColumns(1), schema, 100);
      file.append(batch);
      SpillSpace.open(root, Long.MAX_VALUE).close();
      assertThat(living.files()).hasSize(1);
      assertThat(rows(file.read())).isEqualTo(rows(batch));
    }
  }

  @Test
  void refusesByNameNeedAndLimitWhatIsOverAQuota() {
    Schema schema = new Schema(List.of(Field.of("l", DataType.BIGINT)));
    Batch batch = random(new RandomColumns(1), schema, 1000);
    try (SpillSpace space = SpillSpace.open(root, 40_000);
        SpillScope narrow = space.ofQuery("q1", 20_000);
        SpillScope wide = space.ofQuery("q2", 0)) {
      assertThatThrownBy(() -> append(narrow, batch, 3))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.SPILL_LIMIT_EXCEEDED);
                assertThat(e.getMessage()).contains("test needs").contains("limit of 20000 bytes");
                assertThat(e.hint()).contains("spill.query_limit");
              });
      assertThatThrownBy(() -> append(wide, batch, 5))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.SPILL_LIMIT_EXCEEDED);
                assertThat(e.getMessage()).contains("limit of 40000 bytes");
              });
      narrow.close();
      wide.close();
      assertThat(space.usedBytes()).isZero();
    }
  }

  private static void append(SpillScope scope, Batch batch, int times) {
    SpillFile file = scope.create("test", batch.schema(), BATCH_BYTES);
    for (int i = 0; i < times; i++) {
      file.append(batch);
    }
  }

  @Test
  void saysWhenTheDeviceIsFullOrBroken() {
    Schema schema = new Schema(List.of(Field.of("l", DataType.BIGINT)));
    Batch batch = random(new RandomColumns(1), schema, 1000);
    try (SpillSpace space =
            SpillSpace.open(root, Long.MAX_VALUE, FailingStorage.fullAfter(10_000));
        SpillScope scope = space.ofQuery("q1", 0)) {
      SpillFile file = scope.create("test", schema, 1000);
      assertThatThrownBy(
              () -> {
                file.append(batch);
                file.append(batch);
              })
          .isInstanceOfSatisfying(
              VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL))
          .hasMessageContaining("test cannot write its spill file: no space is left");
      scope.close();
      assertThat(space.files()).isEmpty();
      assertThat(space.usedBytes()).isZero();
    }
    try (SpillSpace space =
            SpillSpace.open(root, Long.MAX_VALUE, FailingStorage.unreadableAfter(1));
        SpillScope scope = space.ofQuery("q1", 0)) {
      SpillFile file = scope.create("test", schema, 1000);
      file.append(batch);
      assertThatThrownBy(() -> rows(file.read()))
          .isInstanceOfSatisfying(
              VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
          .hasMessageContaining("test cannot read its spill file");
    }
  }

  @Test
  void saysWhenAFileWasCut() throws IOException {
    Schema schema = new Schema(List.of(Field.of("l", DataType.BIGINT)));
    try (SpillSpace space = SpillSpace.open(root, Long.MAX_VALUE);
        SpillScope scope = space.ofQuery("q1", 0)) {
      SpillFile file = scope.create("test", schema, 1000);
      file.append(random(new RandomColumns(1), schema, 5000));
      file.flush();
      try (var channel =
          java.nio.channels.FileChannel.open(
              space.files().get(0), java.nio.file.StandardOpenOption.WRITE)) {
        channel.truncate(20_000);
      }
      assertThatThrownBy(() -> rows(file.read()))
          .isInstanceOfSatisfying(
              VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT));
    }
  }

  @Test
  void withoutAPlaceThereIsNoSpilling() {
    try (SpillSpace none = SpillSpace.none();
        SpillScope scope = none.ofQuery("q1", 0)) {
      assertThat(scope.enabled()).isFalse();
    }
  }
}
