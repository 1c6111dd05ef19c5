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
 * What names in ORDER BY mean: one that stands alone is an output column's; inside an expression it
 * is a column of FROM, and an output column's only where FROM has none of that name.
 *
 * <pre>{@code SELECT -id AS id FROM t ORDER BY id, -id}  sorts by -id, then by -t.id</pre>
 */
final class SortKeys extends SqlShuttle {
  private final SqlValidatorScope from;

  private SortKeys(SqlValidatorScope from) {
    this.from = from;
  }

  /** The keys with the columns of FROM inside expressions written in full. */
  static SqlNodeList qualified(SqlNodeList keys, @Nullable SqlValidatorScope from) {
    if (from == null) {
      return keys;
    }
    SortKeys names = new SortKeys(from);
    SqlNodeList qualified = new SqlNodeList(keys.getParserPosition());
    for (SqlNode key : keys) {
      qualified.add(names.key(key));
    }
    return qualified;
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
