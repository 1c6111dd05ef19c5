package dev.varve.engine.sql;

import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * What names in ORDER BY and HAVING mean: a column of FROM, and an output column only where FROM
 * has none of that name. A sort key that is a name alone is an output column's first.
 *
 * <pre>{@code SELECT -id AS id FROM t ORDER BY id, -id}  sorts by -id, then by -t.id</pre>
 */
final class ColumnsBeforeAliases extends SqlShuttle {
  private final SqlValidatorScope from;

  private ColumnsBeforeAliases(SqlValidatorScope from) {
    this.from = from;
  }

  /** The keys with the columns of FROM inside expressions written in full. */
  static SqlNodeList qualified(SqlNodeList keys, @Nullable SqlValidatorScope from) {
    if (from == null) {
      return keys;
    }
    ColumnsBeforeAliases names = new ColumnsBeforeAliases(from);
    SqlNodeList qualified = new SqlNodeList(keys.getParserPosition());
    for (SqlNode key : keys) {
      qualified.add(names.key(key));
    }
    return qualified;
  }

  /** A condition with the columns of FROM written in full. */
  static SqlNode qualified(SqlNode condition, @Nullable SqlValidatorScope from) {
    SqlNode changed = from == null ? null : condition.accept(new ColumnsBeforeAliases(from));
    return changed == null ? condition : changed;
  }

  private SqlNode key(SqlNode key) {
    return switch (key.getKind()) {
      case IDENTIFIER -> key;
      case DESCENDING, NULLS_FIRST, NULLS_LAST -> {
        SqlCall call = (SqlCall) key;
        yield call.getOperator().createCall(call.getParserPosition(), key(call.operand(0)));
      }
      default -> {
        SqlNode changed = key.accept(this);
        yield changed == null ? key : changed;
      }
    };
  }

  @Override
  public SqlNode visit(SqlIdentifier name) {
    if (!name.isSimple()) {
      return name;
    }
    try {
      return from.fullyQualify(name).identifier;
    } catch (CalciteContextException e) {
      return name;
    }
  }

  /** A query inside has names of its own. */
  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    return call.isA(SqlKind.QUERY) ? call : super.visit(call);
  }
}
