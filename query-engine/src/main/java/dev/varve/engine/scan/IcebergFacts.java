package dev.varve.engine.scan;

import dev.varve.engine.type.DataType;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.key.SerializedBounds;
import dev.varve.layout.key.SerializedBounds.Width;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.SortField;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * What a manifest says of a data file. Its bounds are sound but may be cut or widened, so none is
 * exact; a sort order is what the writer says, so it is asserted.
 */
final class IcebergFacts {
  private IcebergFacts() {}

  static FileFacts of(Table table, DataFile file) {
    Map<Integer, ColumnFacts> columns = new HashMap<>();
    for (Types.NestedField field : table.schema().columns()) {
      IcebergColumns.type(field.type())
          .ifPresent(type -> columns.put(field.fieldId(), column(field, type, file)));
    }
    return new FileFacts(
        file.location(),
        file.fileSizeInBytes(),
        file.recordCount(),
        file.specId(),
        table.schema().schemaId(),
        columns,
        List.of(),
        ordering(table, file).stream()
            .map(o -> new OrderingFact(o, Trust.ASSERTED, Optional.empty()))
            .toList());
  }

  private static ColumnFacts column(Types.NestedField field, DataType type, DataFile file) {
    int id = field.fieldId();
    Type stored = field.type();
    SerializedBounds bounds =
        SerializedBounds.of(
            ColumnKeys.type(type).orElseThrow(),
            width(stored),
            bytes(stored, get(file.lowerBounds(), id)),
            bytes(stored, get(file.upperBounds(), id)));
    return new ColumnFacts(
        id,
        bounds.lower(),
        bounds.upper(),
        count(file.nullValueCounts(), id),
        count(file.nanValueCounts(), id),
        count(file.columnSizes(), id));
  }

  private static <T> @Nullable T get(@Nullable Map<Integer, T> map, int id) {
    return map == null ? null : map.get(id);
  }

  private static OptionalLong count(@Nullable Map<Integer, Long> counts, int id) {
    Long count = get(counts, id);
    return count == null || count < 0 ? OptionalLong.empty() : OptionalLong.of(count);
  }

  private static Width width(Type type) {
    return switch (type.typeId()) {
      case INTEGER, LONG, DATE -> Width.INT_OR_LONG;
      case TIME, TIMESTAMP, TIMESTAMP_NANO -> Width.LONG;
      default -> Width.OWN;
    };
  }

  /** Nanoseconds are read as microseconds, so their bounds are rounded as their values are. */
  private static byte @Nullable [] bytes(Type type, @Nullable ByteBuffer buffer) {
    if (buffer == null) {
      return null;
    }
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    if (type.typeId() == Type.TypeID.TIMESTAMP_NANO && bytes.length == Long.BYTES) {
      ByteBuffer little = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      little.putLong(0, Math.floorDiv(little.getLong(0), 1000));
    }
    return bytes;
  }

  /** The leading plain columns of the sort order that a file names. */
  private static Optional<TableOrdering> ordering(Table table, DataFile file) {
    Integer id = file.sortOrderId();
    SortOrder order = id == null ? null : table.sortOrders().get(id);
    if (order == null) {
      return Optional.empty();
    }
    List<OrderingField> fields = new ArrayList<>();
    for (SortField field : order.fields()) {
      if (!field.transform().isIdentity()
          || fields.stream().anyMatch(f -> f.fieldId() == field.sourceId())) {
        break;
      }
      fields.add(
          new OrderingField(
              field.sourceId(),
              field.direction() == org.apache.iceberg.SortDirection.ASC
                  ? SortDirection.ASC
                  : SortDirection.DESC,
              field.nullOrder() == org.apache.iceberg.NullOrder.NULLS_FIRST
                  ? NullOrder.NULLS_FIRST
                  : NullOrder.NULLS_LAST));
    }
    return fields.isEmpty() ? Optional.empty() : Optional.of(new TableOrdering(fields));
  }
}
