package dev.varve.engine.function;

import java.util.List;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.util.Optionality;

/**
 * Variances and standard deviations: of double precision whatever the argument, since the square of
 * an exact number need not fit any exact type. Null for too few rows.
 */
final class DeviationAggregate extends SqlAggFunction {
  static final List<DeviationAggregate> ALL =
      List.of(
          new DeviationAggregate("STDDEV_POP", SqlKind.STDDEV_POP),
          new DeviationAggregate("STDDEV_SAMP", SqlKind.STDDEV_SAMP),
          new DeviationAggregate("STDDEV", SqlKind.STDDEV_SAMP),
          new DeviationAggregate("VAR_POP", SqlKind.VAR_POP),
          new DeviationAggregate("VAR_SAMP", SqlKind.VAR_SAMP),
          new DeviationAggregate("VARIANCE", SqlKind.VAR_SAMP));

  private DeviationAggregate(String name, SqlKind kind) {
    super(
        name,
        null,
        kind,
        ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        null,
        OperandTypes.NUMERIC,
        SqlFunctionCategory.NUMERIC,
        false,
        false,
        Optionality.FORBIDDEN);
  }
}
