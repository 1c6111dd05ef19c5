package dev.varve.catalog.index;

import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import dev.varve.layout.key.KeyType;
import dev.varve.layout.key.SerializedBounds;
import java.nio.ByteBuffer;
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
    return facts.withColumns(columns);
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
    SerializedBounds bounds =
        SerializedBounds.of(
            keyType,
            IcebergKeys.width(type),
            bytes(file.lowerBounds(), fieldId),
            bytes(file.upperBounds(), fieldId));
    return new ColumnFacts(
        fieldId,
        bounds.lower(),
        bounds.upper(),
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
}
