package dev.varve.writer.parquet;

import dev.varve.engine.type.DataType;
import dev.varve.layout.key.KeyType;
import dev.varve.writer.order.KeyTypes;
import org.apache.parquet.format.Type;

/**
 * A leaf column of a file: how a column of batches is stored.
 *
 * @param fieldId Iceberg's, or -1
 * @param type what the batches hold
 * @param physical what the file holds
 * @param length bytes of a value of FIXED_LEN_BYTE_ARRAY, 0 for the others
 * @param required there are no nulls, and no definition levels
 */
public record ParquetColumn(
    String name, int fieldId, DataType type, Type physical, int length, boolean required) {

  /** How values of this column are encoded as keys and bounds. */
  public KeyType keyType() {
    return KeyTypes.of(type);
  }

  boolean isText() {
    return type.equals(DataType.VARCHAR);
  }

  /** Whether the physical integers are compared and delta encoded as integers. */
  boolean isIntegral() {
    return physical == Type.INT32 || physical == Type.INT64;
  }

  boolean isFloating() {
    return physical == Type.FLOAT || physical == Type.DOUBLE;
  }
}
