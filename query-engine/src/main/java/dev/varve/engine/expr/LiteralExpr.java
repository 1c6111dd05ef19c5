package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A constant: a value as {@link Column#value} gives them, or a null of some type. */
public final class LiteralExpr implements PhysicalExpr {
  private final DataType type;
  private final Column single;
  private final @Nullable Object value;

  /** {@code value} is anything that {@link ColumnBuilder#append} takes for the type. */
  public LiteralExpr(@Nullable Object value, DataType type) {
    this(ColumnBuilder.of(type, 1).append(value).build());
  }

  private LiteralExpr(Column single) {
    this.type = single.type();
    this.single = single;
    this.value = single.value(0);
  }

  public static LiteralExpr ofNull(DataType type) {
    return new LiteralExpr(null, type);
  }

  public static LiteralExpr of(boolean value) {
    return new LiteralExpr(value, DataType.BOOLEAN);
  }

  /** The value of a row of a column. */
  public static LiteralExpr of(Column column, int row) {
    return new LiteralExpr(column.flat().take(new int[] {row}, 1));
  }

  /** In its canonical Java form: a decimal has its type's scale. Null for a null. */
  public @Nullable Object value() {
    return value;
  }

  public boolean isNull() {
    return value == null;
  }

  /** The value as a flat column of one row. */
  public Column single() {
    return single;
  }

  @Override
  public DataType type() {
    return type;
  }

  @Override
  public boolean nullable() {
    return value == null;
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
    return new ConstantColumn(single, batch.rowCount());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LiteralExpr literal
        && literal.type.equals(type)
        && Objects.deepEquals(literal.value, value);
  }

  @Override
  public int hashCode() {
    return 31 * type.hashCode()
        + (value instanceof byte[] bytes
            ? java.util.Arrays.hashCode(bytes)
            : Objects.hashCode(value));
  }

  @Override
  public String toString() {
    Object v = value;
    if (v == null) {
      return "NULL";
    }
    if (type.kind() == TypeKind.VARCHAR) {
      return "'" + v.toString().replace("'", "''") + "'";
    }
    if (v instanceof byte[] bytes) {
      return "'\\x" + java.util.HexFormat.of().formatHex(bytes) + "'";
    }
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE -> v.toString();
      case DECIMAL -> ((java.math.BigDecimal) v).toPlainString();
      default -> "'" + v + "'";
    };
  }
}
