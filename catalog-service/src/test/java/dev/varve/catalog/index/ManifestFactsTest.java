package dev.varve.catalog.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/** The cautions that bounds from foreign writers call for. */
class ManifestFactsTest {
  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "i", Types.IntegerType.get()),
          Types.NestedField.optional(2, "f", Types.DoubleType.get()),
          Types.NestedField.optional(3, "d", Types.DecimalType.of(20, 2)),
          Types.NestedField.optional(4, "s", Types.StringType.get()),
          Types.NestedField.optional(5, "u", Types.UUIDType.get()),
          Types.NestedField.optional(6, "t", Types.TimestampType.withoutZone()),
          Types.NestedField.optional(7, "b", Types.BooleanType.get()),
          Types.NestedField.optional(8, "l", Types.LongType.get()),
          Types.NestedField.optional(9, "p", Types.StructType.of()));

  private static final TableMetadata METADATA =
      TableMetadata.newTableMetadata(
          SCHEMA,
          PartitionSpec.unpartitioned(),
          SortOrder.builderFor(SCHEMA).asc("i").desc("s").build(),
          "/t",
          Map.of());

  private final Map<Integer, ByteBuffer> lower = new HashMap<>();
  private final Map<Integer, ByteBuffer> upper = new HashMap<>();

  private void bounds(int fieldId, Object least, Object greatest) {
    Type type = SCHEMA.findType(fieldId);
    lower.put(fieldId, Conversions.toByteBuffer(type, least));
    upper.put(fieldId, Conversions.toByteBuffer(type, greatest));
  }

  private FileFacts facts(SortOrder order) {
    DataFile file =
        DataFiles.builder(PartitionSpec.unpartitioned())
            .withPath("/t/f.parquet")
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(100)
            .withSortOrder(order)
            .withMetrics(
                new Metrics(10L, Map.of(1, 40L), Map.of(), Map.of(1, 0L), Map.of(), lower, upper))
            .build();
    return new ManifestFacts(METADATA).of(file);
  }

  private ColumnFacts column(int fieldId) {
    return facts(SortOrder.unsorted()).column(fieldId);
  }

  private static Bound inexact(KeyType type, Object value) {
    return new Bound.Inexact(KeyEncoding.encodeValue(type, value));
  }

  @Test
  void boundsOfEveryTypeAreConvertedAndNeverExact() {
    bounds(1, -5, 7);
    bounds(2, -1.5, 2.5);
    bounds(3, new BigDecimal("-123456789012345678.90"), new BigDecimal("0.01"));
    bounds(4, "a", "é");
    bounds(6, -1L, 1_000_000L);
    bounds(7, false, true);
    bounds(8, Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(column(1).lower()).isEqualTo(inexact(KeyType.INTEGRAL, -5L));
    assertThat(column(1).upper()).isEqualTo(inexact(KeyType.INTEGRAL, 7L));
    assertThat(column(2).lower()).isEqualTo(inexact(KeyType.FLOATING, -1.5));
    assertThat(column(3).lower())
        .isEqualTo(inexact(KeyType.DECIMAL, new BigInteger("-12345678901234567890")));
    assertThat(column(3).upper()).isEqualTo(inexact(KeyType.DECIMAL, BigInteger.ONE));
    assertThat(column(4).upper()).isEqualTo(inexact(KeyType.STRING, "é"));
    assertThat(column(6).lower()).isEqualTo(inexact(KeyType.INTEGRAL, -1L));
    assertThat(column(7).upper()).isEqualTo(inexact(KeyType.BOOLEAN, true));
    assertThat(column(8).lower()).isEqualTo(inexact(KeyType.INTEGRAL, Long.MIN_VALUE));
    assertThat(column(1).nullCount()).isEqualTo(OptionalLong.of(0));
    assertThat(column(2).nullCount()).isEmpty();
    assertThat(column(1).nanCount()).isEqualTo(OptionalLong.of(0));
    assertThat(column(2).nanCount()).as("unknown means there may be some").isEmpty();
    assertThat(column(1).sizeBytes()).isEqualTo(OptionalLong.of(40));
  }

  @Test
  void boundsOfColumnsThatWerePromotedKeepTheirMeaning() {
    lower.put(8, little(4).putInt(0, -3));
    lower.put(2, little(4).putFloat(0, -0.5f));
    lower.put(6, little(4).putInt(0, 19_000));
    assertThat(column(8).lower()).isEqualTo(inexact(KeyType.INTEGRAL, -3L));
    assertThat(column(2).lower()).isEqualTo(inexact(KeyType.FLOATING, -0.5));
    assertThat(column(6).lower()).as("days are not microseconds").isEqualTo(Bound.UNKNOWN);
  }

  @Test
  void nanIsNoBoundAndZerosAreOne() {
    double negativeNaN = Double.longBitsToDouble(0xFFF8000000000000L);
    lower.put(2, little(8).putDouble(0, negativeNaN));
    upper.put(2, little(8).putDouble(0, 5));
    assertThat(column(2).lower()).isEqualTo(Bound.UNKNOWN);
    assertThat(column(2).upper()).isEqualTo(inexact(KeyType.FLOATING, 5.0));
    bounds(2, 0.0, -0.0);
    assertThat(column(2).lower()).isEqualTo(column(2).upper());
  }

  @Test
  void boundsUpsideDownAreDropped() {
    bounds(1, 7, -5);
    assertThat(column(1).lower()).isEqualTo(Bound.UNKNOWN);
    assertThat(column(1).upper()).isEqualTo(Bound.UNKNOWN);
  }

  @Test
  void aStringCutInsideACharacterIsKeptByteByByte() {
    lower.put(4, ByteBuffer.wrap(new byte[] {'a', (byte) 0xC3}));
    assertThat(column(4).lower())
        .isEqualTo(new Bound.Inexact(EncodedKey.of(new byte[] {'a', (byte) 0xC3})));
  }

  @Test
  void typesWithoutAnEncodingHaveNoFacts() {
    assertThat(facts(SortOrder.unsorted()).columns()).containsKey(8).doesNotContainKey(9);
  }

  @Test
  void aClaimedOrderIsAssertedOnly() {
    assertThat(facts(SortOrder.unsorted()).orderings()).isEmpty();
    OrderingFact claimed = facts(METADATA.sortOrder()).orderings().getFirst();
    assertThat(claimed.trust()).isEqualTo(Trust.ASSERTED);
    assertThat(claimed.range()).isEmpty();
    assertThat(claimed.ordering().fields()).hasSize(2);
  }

  private static ByteBuffer little(int width) {
    return ByteBuffer.allocate(width).order(ByteOrder.LITTLE_ENDIAN);
  }
}
