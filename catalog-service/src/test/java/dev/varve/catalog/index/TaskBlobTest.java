package dev.varve.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a scan task says of a file survives being stored. */
class TaskBlobTest {
  private static final Schema SCHEMA =
      new Schema(
          NestedField.optional(1, "b", Types.BooleanType.get()),
          NestedField.optional(2, "i", Types.IntegerType.get()),
          NestedField.optional(3, "l", Types.LongType.get()),
          NestedField.optional(4, "d", Types.DateType.get()),
          NestedField.optional(5, "s", Types.StringType.get()),
          NestedField.optional(6, "m", Types.DecimalType.of(9, 2)),
          NestedField.optional(7, "u", Types.UUIDType.get()),
          NestedField.optional(8, "x", Types.BinaryType.get()),
          NestedField.optional(9, "t", Types.TimestampType.withZone()),
          NestedField.optional(10, "f", Types.DoubleType.get()));

  private static final PartitionSpec SPEC =
      PartitionSpec.builderFor(SCHEMA)
          .identity("b")
          .bucket("i", 16)
          .identity("l")
          .identity("d")
          .identity("s")
          .identity("m")
          .identity("u")
          .truncate("x", 2)
          .day("t")
          .identity("f")
          .build();

  private static final Object[] VALUES = {
    true,
    7,
    -1L,
    19_000,
    "Grün/ä",
    new BigDecimal("-1.50"),
    UUID.fromString("f47ac10b-58cc-4372-a567-0e02b2c3d479"),
    ByteBuffer.wrap(new byte[] {0, -1}),
    -5,
    Double.NaN
  };

  @Test
  void everyPartOfAFileComesBack() {
    assertThat(roundTrip(file(VALUES, List.of(4L, 1L << 20, 1L << 33), 77L, "key")))
        .isEqualTo(json(file(VALUES, List.of(4L, 1L << 20, 1L << 33), 77L, "key")));
  }

  @Test
  void nothingIsInventedForWhatIsNull() {
    @Nullable Object[] nulls = new @Nullable Object[VALUES.length];
    DataFile file = file(nulls, null, null, null);
    assertThat(roundTrip(file)).isEqualTo(json(file)).doesNotContain("split-offsets", "first-row");
    DataFile empty = file(nulls, List.of(), 0L, null);
    assertThat(roundTrip(empty)).isEqualTo(json(empty)).contains("\"first-row-id\":0");
  }

  @Test
  void aBuilderThatIsUsedAgainForgetsTheFileBefore() {
    TaskBlob.Files files = new TaskBlob.Files(SPEC);
    DataFile full = file(VALUES, List.of(4L), 77L, "key");
    DataFile bare = file(new @Nullable Object[VALUES.length], null, null, null);
    assertThat(read(files, full)).isEqualTo(json(full));
    assertThat(read(files, bare)).isEqualTo(json(bare));
    assertThat(read(files, full)).isEqualTo(json(full));
  }

  @Test
  void aBlobOfAnotherShapeIsNotRead() {
    byte[] blob = blob(file(VALUES, null, null, null), SPEC);
    assertThat(new TaskBlob.Files(PartitionSpec.unpartitioned()).read(blob)).isEmpty();
    blob[0] = 2;
    assertThat(new TaskBlob.Files(SPEC).read(blob)).isEmpty();
  }

  @Test
  void aPartitionOfANarrowTypeIsReadAsItsWiderOne() {
    Schema narrow = new Schema(NestedField.optional(1, "i", Types.IntegerType.get()));
    Schema wide = new Schema(NestedField.optional(1, "i", Types.LongType.get()));
    PartitionSpec before = PartitionSpec.builderFor(narrow).identity("i").build();
    PartitionSpec after = PartitionSpec.builderFor(wide).identity("i").build();
    PartitionData partition = new PartitionData(before.partitionType());
    partition.set(0, -3);
    DataFile file = base(DataFiles.builder(before)).withPartition(partition).build();
    DataFile read = base(new TaskBlob.Files(after).read(blob(file, before)).orElseThrow()).build();
    assertThat(read.partition().get(0, Long.class)).isEqualTo(-3L);
  }

  private static byte[] blob(DataFile file, PartitionSpec spec) {
    return Objects.requireNonNull(TaskBlob.of(file, spec));
  }

  private static String roundTrip(DataFile file) {
    return read(new TaskBlob.Files(SPEC), file);
  }

  private static String read(TaskBlob.Files files, DataFile file) {
    return json(base(files.read(blob(file, SPEC)).orElseThrow()).build());
  }

  private static String json(DataFile file) {
    return ContentFileParser.toJson(file, SPEC);
  }

  private static DataFile file(
      @Nullable Object[] values,
      @Nullable List<Long> splits,
      @Nullable Long firstRowId,
      @Nullable String key) {
    PartitionData partition = new PartitionData(SPEC.partitionType());
    for (int i = 0; i < values.length; i++) {
      partition.set(i, values[i]);
    }
    return base(DataFiles.builder(SPEC))
        .withPartition(partition)
        .withSplitOffsets(splits)
        .withFirstRowId(firstRowId)
        .withEncryptionKeyMetadata(
            key == null ? (ByteBuffer) null : ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8)))
        .build();
  }

  private static DataFiles.Builder base(DataFiles.Builder builder) {
    return builder
        .withPath("/w/a.parquet")
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(100)
        .withRecordCount(3);
  }
}
