package dev.varve.engine.function;

import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.ScalarFunction;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.DateField;
import dev.varve.engine.kernel.DateTimes;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.List;
import java.util.Locale;

/**
 * {@code EXTRACT(field FROM x)} as a BIGINT, or as a decimal with the fraction of seconds; {@code
 * source} is x's type.
 */
public record ExtractFunction(DateField field, TypeKind source) implements ScalarFunction {
  @Override
  public String name() {
    return "extract_" + field.name().toLowerCase(Locale.ROOT);
  }

  /** A zoned timestamp has its fields in the session's time zone. */
  @Override
  public Volatility volatility() {
    return source == TypeKind.TIMESTAMPTZ && field != DateField.EPOCH
        ? Volatility.STABLE
        : Volatility.IMMUTABLE;
  }

  /** Local time runs back when summer time ends, so only unzoned fields follow their source. */
  @Override
  public Monotonicity monotonicity(List<PhysicalExpr> arguments, int index) {
    boolean follows =
        switch (source) {
          case DATE, TIMESTAMP -> field.isIncreasing();
          case TIMESTAMPTZ -> field == DateField.EPOCH;
          case TIME -> field == DateField.HOUR || field == DateField.EPOCH;
          default -> false;
        };
    return follows ? Monotonicity.INCREASING : Monotonicity.NONE;
  }

  @Override
  public boolean fallible() {
    return source == TypeKind.TIME;
  }

  @Override
  public Column evaluate(List<Column> arguments, int rows, DataType type, EvalContext context) {
    return type.isDecimal()
        ? DateTimes.extractExactly(field, arguments.get(0), context.zone(), type)
        : DateTimes.extract(field, arguments.get(0), context.zone());
  }
}
