package dev.varve.engine.batch;

import dev.varve.engine.type.Schema;
import java.util.List;

/**
 * Some rows of a stream: columns of equal length, immutable, about 8192 rows. A batch may have no
 * columns and still rows.
 */
public final class Batch {
  private final Schema schema;
  private final List<Column> columns;
  private final int rowCount;

  public Batch(Schema schema, List<? extends Column> columns, int rowCount) {
    this.schema = schema;
    this.columns = List.copyOf(columns);
    this.rowCount = rowCount;
    if (this.columns.size() != schema.size()) {
      throw new IllegalStateException(this.columns.size() + " columns for the schema " + schema);
    }
    for (int i = 0; i < this.columns.size(); i++) {
      Column column = this.columns.get(i);
      if (column.length() != rowCount) {
        throw new IllegalStateException(
            "column "
                + schema.field(i).name()
                + " has "
                + column.length()
                + " rows of "
                + rowCount);
      }
      if (!column.type().equals(schema.type(i))) {
        throw new IllegalStateException(
            "column "
                + schema.field(i).name()
                + " is "
                + column.type()
                + ", not "
                + schema.type(i));
      }
    }
  }

  public static Batch empty(Schema schema) {
    return new Batch(
        schema,
        schema.fields().stream().map(f -> ColumnBuilder.of(f.type(), 0).build()).toList(),
        0);
  }

  public Schema schema() {
    return schema;
  }

  public List<Column> columns() {
    return columns;
  }

  public Column column(int index) {
    return columns.get(index);
  }

  public int rowCount() {
    return rowCount;
  }

  public Batch slice(int from, int count) {
    return from == 0 && count == rowCount
        ? this
        : new Batch(schema, columns.stream().map(c -> c.slice(from, count)).toList(), count);
  }

  /** The rows at {@code rows[0..count)}; see {@link Column#take}. */
  public Batch take(int[] rows, int count) {
    return new Batch(schema, columns.stream().map(c -> c.take(rows, count)).toList(), count);
  }

  public Batch select(int[] indices) {
    Column[] selected = new Column[indices.length];
    for (int i = 0; i < indices.length; i++) {
      selected[i] = columns.get(indices[i]);
    }
    return new Batch(schema.select(indices), List.of(selected), rowCount);
  }

  /** The same columns under another schema of the same types. */
  public Batch withSchema(Schema other) {
    return new Batch(other, columns, rowCount);
  }

  public Batch compact() {
    return new Batch(schema, columns.stream().map(Column::compact).toList(), rowCount);
  }

  public long sizeInBytes() {
    long size = 0;
    for (Column column : columns) {
      size += column.sizeInBytes();
    }
    return size;
  }

  @Override
  public String toString() {
    return rowCount + " rows of " + columns;
  }
}
