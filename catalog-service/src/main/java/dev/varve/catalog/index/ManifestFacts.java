package dev.varve.catalog.index;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyTruncation;
import dev.varve.layout.key.KeyType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

/**
 * Facts from a manifest, for files whose writer we do not know. Their bounds are never exact: a
 * writer may have cut them, and says so nowhere. An ordering that the writer claims is asserted,
 * never verified.
 */
final class ManifestFacts {
  private final Map<Integer, Type> types;
  private final Map<Integer, SortOrder> orders;
  private final int schemaId;

  ManifestFacts(TableMetadata metadata) {
    this.types = IcebergKeys.columnTypes(metadata);
    this.orders = metadata.sortOrdersById();
    this.schemaId = metadata.currentSchemaId();
  }

  FileFacts of(DataFile file) {
    Map<Integer, ColumnFacts> columns = new HashMap<>();
    types.forEach(
        (fieldId, type) ->
            IcebergKeys.keyType(type)
                .ifPresent(keyType -> columns.put(fieldId, column(file, fieldId, type, keyType))));
    return new FileFacts(
        file.location(),
        file.fileSizeInBytes(),
        file.recordCount(),
        file.specId(),
        schemaId,
        columns,
        List.of(),
        claimedOrdering(file));
  }

  /**
   * Facts of our own writer, completed by what only the table's schema says: columns that cannot
   * hold NaN hold none.
   */
  FileFacts complete(FileFacts facts) {
    Map<Integer, ColumnFacts> columns = HashMap.newHashMap(facts.columns().size());
    facts
        .columns()
        .forEach(
            (fieldId, column) ->
                columns.put(
                    fieldId,
                    column.nanCount().isPresent() || mayHoldNaN(types.get(fieldId))
                        ? column
                        : new ColumnFacts(
                            fieldId,
                            column.lower(),
                            column.upper(),
                            column.nullCount(),
                            OptionalLong.of(0),
                            column.sizeBytes())));
    return new FileFacts(
        facts.path(),
        facts.sizeBytes(),
        facts.recordCount(),
        facts.specId(),
        facts.schemaId(),
        columns,
        facts.rowGroups(),
        facts.orderings());
  }

  private static boolean mayHoldNaN(@Nullable Type type) {
    return type == null
        || switch (type.typeId()) {
          case FLOAT, DOUBLE -> true;
          default -> type.isNestedType();
        };
  }

  private List<OrderingFact> claimedOrdering(DataFile file) {
    Integer orderId = file.sortOrderId();
    SortOrder order = orderId == null ? null : orders.get(orderId);
    if (order == null) {
      return List.of();
    }
    return IcebergKeys.ordering(order)
        .map(ordering -> List.of(new OrderingFact(ordering, Trust.ASSERTED, Optional.empty())))
        .orElse(List.of());
  }

  private static ColumnFacts column(DataFile file, int fieldId, Type type, KeyType keyType) {
    byte @Nullable [] least = bytes(file.lowerBounds(), fieldId);
    byte @Nullable [] greatest = bytes(file.upperBounds(), fieldId);
    Optional<EncodedKey> lower;
    Optional<EncodedKey> upper;
    if (keyType == KeyType.UUID) {
      lower = uuid(least, greatest, false);
      upper = uuid(greatest, least, true);
    } else {
      lower = least == null ? Optional.empty() : convert(least, type, keyType);
      upper = greatest == null ? Optional.empty() : convert(greatest, type, keyType);
    }
    if (lower.isPresent() && upper.isPresent() && lower.get().compareTo(upper.get()) > 0) {
      // One of them is wrong, and nothing says which.
      lower = Optional.empty();
      upper = Optional.empty();
    }
    return new ColumnFacts(
        fieldId,
        lower
            .<Bound>map(k -> new Bound.Inexact(KeyTruncation.lower(k, EncodedKey.MAX_BYTES)))
            .orElse(Bound.UNKNOWN),
        upper
            .flatMap(k -> KeyTruncation.upper(k, EncodedKey.MAX_BYTES))
            .<Bound>map(Bound.Inexact::new)
            .orElse(Bound.UNKNOWN),
        count(file.nullValueCounts(), fieldId),
        keyType == KeyType.FLOATING ? count(file.nanValueCounts(), fieldId) : OptionalLong.of(0),
        count(file.columnSizes(), fieldId));
  }

  private static OptionalLong count(@Nullable Map<Integer, Long> counts, int fieldId) {
    Long count = counts == null ? null : counts.get(fieldId);
    return count == null || count < 0 ? OptionalLong.empty() : OptionalLong.of(count);
  }

  private static byte @Nullable [] bytes(@Nullable Map<Integer, ByteBuffer> bounds, int fieldId) {
    ByteBuffer value = bounds == null ? null : bounds.get(fieldId);
    if (value == null) {
      return null;
    }
    byte[] bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return bytes;
  }

  /**
   * Converts from Iceberg's single-value form. A width that the type does not have, or had before
   * it was promoted from a type with another meaning, gives none.
   */
  static Optional<EncodedKey> convert(byte[] bytes, Type type, KeyType keyType) {
    ByteBuffer value = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return switch (keyType) {
      case BOOLEAN ->
          bytes.length == 1
              ? Optional.of(KeyEncoding.encodeValue(KeyType.BOOLEAN, bytes[0] != 0))
              : Optional.empty();
      case INTEGRAL -> integral(value, bytes.length, type);
      case FLOATING -> floating(value, bytes.length);
      case DECIMAL ->
          bytes.length >= 1 && bytes.length <= 17
              ? Optional.of(KeyEncoding.encodeValue(KeyType.DECIMAL, new BigInteger(bytes)))
              : Optional.empty();
      // A string may have been cut inside a character: its bytes are kept, never decoded.
      case STRING, BINARY -> Optional.of(EncodedKey.of(bytes));
      case UUID -> Optional.empty();
    };
  }

  private static Optional<EncodedKey> integral(ByteBuffer value, int width, Type type) {
    if (width == 8) {
      return Optional.of(KeyEncoding.encodeLong(value.getLong()));
    }
    // Four bytes of a timestamp were days of a date once.
    boolean wasNarrow =
        switch (type.typeId()) {
          case INTEGER, LONG, DATE -> width == 4;
          default -> false;
        };
    return wasNarrow ? Optional.of(KeyEncoding.encodeLong(value.getInt())) : Optional.empty();
  }

  private static Optional<EncodedKey> floating(ByteBuffer value, int width) {
    if (width != 4 && width != 8) {
      return Optional.empty();
    }
    double number = width == 4 ? value.getFloat() : value.getDouble();
    return Double.isNaN(number) ? Optional.empty() : Optional.of(KeyEncoding.encodeDouble(number));
  }

  /**
   * Bounds of a uuid column. Older Iceberg compared the two halves as signed numbers: the bounds
   * say something only when the signs of their high halves agree, and then only about the high
   * halves.
   */
  static Optional<EncodedKey> uuid(
      byte @Nullable [] bytes, byte @Nullable [] other, boolean upper) {
    if (bytes == null
        || other == null
        || bytes.length != 16
        || other.length != 16
        || (bytes[0] ^ other[0]) < 0) {
      return Optional.empty();
    }
    byte[] widened = bytes.clone();
    Arrays.fill(widened, 8, 16, (byte) (upper ? 0xFF : 0));
    return Optional.of(EncodedKey.of(widened));
  }
}
