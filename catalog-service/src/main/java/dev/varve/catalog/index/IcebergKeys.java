package dev.varve.catalog.index;

import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.key.KeyType;
import dev.varve.layout.key.SerializedBounds.Width;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortField;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

/** Iceberg's types and sort orders in the words of the layout module. */
final class IcebergKeys {
  private IcebergKeys() {}

  /** The encoding of a type's values; none where the index keeps no bounds for the type. */
  static Optional<KeyType> keyType(Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> Optional.of(KeyType.BOOLEAN);
      case INTEGER, LONG, DATE, TIME, TIMESTAMP -> Optional.of(KeyType.INTEGRAL);
      case FLOAT, DOUBLE -> Optional.of(KeyType.FLOATING);
      case DECIMAL -> Optional.of(KeyType.DECIMAL);
      case STRING -> Optional.of(KeyType.STRING);
      case BINARY, FIXED -> Optional.of(KeyType.BINARY);
      case UUID -> Optional.of(KeyType.UUID);
      case TIMESTAMP_NANO, STRUCT, LIST, MAP, VARIANT, UNKNOWN, GEOMETRY, GEOGRAPHY ->
          Optional.empty();
    };
  }

  /** How manifests write bounds of a type. */
  static Width width(Type type) {
    return switch (type.typeId()) {
      case INTEGER, LONG, DATE -> Width.INT_OR_LONG;
      case TIME, TIMESTAMP -> Width.LONG;
      default -> Width.OWN;
    };
  }

  /**
   * The types of all top-level columns that a table has or had, by field id; where a type was
   * promoted, the newest.
   */
  static Map<Integer, Type> columnTypes(TableMetadata metadata) {
    Map<Integer, Type> types = new HashMap<>();
    for (Schema schema : metadata.schemas()) {
      addTypes(types, schema);
    }
    addTypes(types, metadata.schema());
    return types;
  }

  /**
   * The ordering that a sort order gives: its longest prefix of plain columns; empty when it has
   * none.
   */
  static Optional<TableOrdering> ordering(SortOrder order) {
    List<OrderingField> fields = new ArrayList<>();
    for (SortField field : order.fields()) {
      boolean repeated = fields.stream().anyMatch(known -> known.fieldId() == field.sourceId());
      if (!field.transform().isIdentity()) {
        break;
      }
      if (!repeated) {
        fields.add(
            new OrderingField(
                field.sourceId(),
                switch (field.direction()) {
                  case ASC -> SortDirection.ASC;
                  case DESC -> SortDirection.DESC;
                },
                switch (field.nullOrder()) {
                  case NULLS_FIRST -> NullOrder.NULLS_FIRST;
                  case NULLS_LAST -> NullOrder.NULLS_LAST;
                }));
      }
    }
    return fields.isEmpty() ? Optional.empty() : Optional.of(new TableOrdering(fields));
  }

  private static void addTypes(Map<Integer, Type> types, Schema schema) {
    for (NestedField column : schema.columns()) {
      types.put(column.fieldId(), column.type());
    }
  }
}
