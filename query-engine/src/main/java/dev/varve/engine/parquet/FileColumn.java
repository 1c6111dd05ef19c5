package dev.varve.engine.parquet;

import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/**
 * A top-level column of a file. {@code fieldId} is -1 where the file has none; {@code leaf} is its
 * position among the chunks of a row group. A nested column has no {@code type}.
 */
public record FileColumn(
    String name, int fieldId, @Nullable PrimitiveType type, boolean optional, int leaf) {
  public boolean isNested() {
    return type == null;
  }

  public PrimitiveType primitive() {
    PrimitiveType flat = type;
    if (flat == null) {
      throw new IllegalStateException("column " + name + " is nested");
    }
    return flat;
  }
}
