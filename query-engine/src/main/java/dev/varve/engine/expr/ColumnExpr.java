package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.List;

/**
 * A column of the input, by position; the name is for people and takes part in equality only
 * through the position's schema.
 */
public record ColumnExpr(int index, String name, DataType type, boolean nullable)
    implements PhysicalExpr {

  public static ColumnExpr of(Schema schema, int index) {
    Field field = schema.field(index);
    return new ColumnExpr(index, field.name(), field.type(), field.nullable());
  }

  @Override
  public List<PhysicalExpr> children() {
    return List.of();
  }

  @Override
  public PhysicalExpr withChildren(List<PhysicalExpr> children) {
    return this;
  }

  @Override
  public Column evaluate(Batch batch, EvalContext context) {
    return batch.column(index);
  }

  /** Two references to one position are one expression, whatever they are called. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ColumnExpr column && column.index == index;
  }

  @Override
  public int hashCode() {
    return index;
  }

  @Override
  public String toString() {
    return name + "@" + index;
  }
}
