package dev.varve.engine.sql;

import dev.varve.engine.type.DataType;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Parameters that are, on their own, a value of an INSERT: nothing around them says what they are,
 * so they are of their column's type.
 *
 * <pre>
 * INSERT INTO t VALUES (?, ? + 1)      INSERT INTO t VALUES (CAST(? AS date), ? + 1)
 * </pre>
 */
public final class TargetTypedParameters {
  private final List<DataType> types;

  private TargetTypedParameters(List<DataType> types) {
    this.types = types;
  }

  /** Changes the source of an INSERT into columns of these types; answers the changed source. */
  public static SqlNode in(SqlNode source, List<DataType> types) {
    SqlNode numbered = Objects.requireNonNull(source.accept(new NumberedParameters()), "source");
    new TargetTypedParameters(types).rewrite(numbered);
    return numbered;
  }

  private void rewrite(SqlNode query) {
    switch (query) {
      case SqlSelect select -> rewrite(select.getSelectList());
      case SqlOrderBy order -> rewrite(order.query);
      case SqlWith with -> rewrite(with.body);
      case SqlCall call when call.getKind() == SqlKind.UNION ->
          call.getOperandList().forEach(this::rewrite);
      case SqlCall call when call.getKind() == SqlKind.VALUES -> {
        for (SqlNode row : call.getOperandList()) {
          if (row instanceof SqlCall values && values.getKind() == SqlKind.ROW) {
            rewriteRow(values);
          }
        }
      }
      default -> {}
    }
  }

  private void rewrite(SqlNodeList selected) {
    for (int i = 0; i < Math.min(selected.size(), types.size()); i++) {
      if (selected.get(i) instanceof SqlCall named && named.getKind() == SqlKind.AS) {
        named.setOperand(0, typed(named.operand(0), types.get(i)));
      } else {
        selected.set(i, typed(selected.get(i), types.get(i)));
      }
    }
  }

  private void rewriteRow(SqlCall row) {
    for (int i = 0; i < Math.min(row.operandCount(), types.size()); i++) {
      row.setOperand(i, typed(row.operand(i), types.get(i)));
    }
  }

  private static SqlNode typed(SqlNode value, DataType type) {
    if (!(value instanceof SqlDynamicParam)) {
      return value;
    }
    SqlParserPos position = value.getParserPosition();
    return SqlStdOperatorTable.CAST.createCall(position, value, specification(type, position));
  }

  private static SqlDataTypeSpec specification(DataType type, SqlParserPos position) {
    RelDataType rel = CalciteTypes.relType(type, true);
    int precision =
        switch (type.kind()) {
          case DECIMAL -> type.precision();
          case TIME, TIMESTAMP, TIMESTAMPTZ -> CalciteTypes.MICROS;
          default -> RelDataType.PRECISION_NOT_SPECIFIED;
        };
    int scale = type.isDecimal() ? type.scale() : RelDataType.SCALE_NOT_SPECIFIED;
    return new SqlDataTypeSpec(
        new SqlBasicTypeNameSpec(rel.getSqlTypeName(), precision, scale, position), position);
  }
}
