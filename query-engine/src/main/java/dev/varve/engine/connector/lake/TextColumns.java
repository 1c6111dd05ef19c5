package dev.varve.engine.connector.lake;

import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The lengths of columns declared VARCHAR(n), which Iceberg's string does not have: table
 * properties {@code varve.varchar-length.<field id>}, so that they stay with a renamed column.
 */
public final class TextColumns {
  private static final String PREFIX = "varve.varchar-length.";

  private TextColumns() {}

  /** What a new table's properties say of lengths by column. */
  static Map<String, String> properties(Map<String, Integer> lengths, Schema schema) {
    Map<String, String> properties = new HashMap<>();
    lengths.forEach(
        (column, length) ->
            properties.put(PREFIX + schema.findField(column).fieldId(), length.toString()));
    return properties;
  }

  /** The most characters of columns that have a limit, by name. */
  public static Map<String, Integer> lengths(Table table) {
    Map<String, Integer> lengths = new HashMap<>();
    for (NestedField field : table.schema().columns()) {
      String length = table.properties().get(PREFIX + field.fieldId());
      if (length != null && length.matches("\\d{1,9}")) {
        lengths.put(field.name(), Integer.valueOf(length));
      }
    }
    return lengths;
  }
}
