package dev.varve.engine.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * The one column that USING makes of two, wherever a query names it without a table: that of the
 * side whose rows are all kept, or the first that is not null after a full join. A USING over what
 * another USING joined becomes a condition on that column.
 *
 * <pre>{@code
 * SELECT i FROM a FULL JOIN b USING (i) FULL JOIN c USING (i) WHERE i > 1
 * SELECT coalesce(coalesce(a.i, b.i), c.i) AS i
 *   FROM a FULL JOIN b USING (i) FULL JOIN c ON coalesce(a.i, b.i) = c.i
 *   WHERE coalesce(coalesce(a.i, b.i), c.i) > 1
 * }</pre>
 *
 * <p>Left alone: a chain below {@code SELECT *}, whose columns only the catalog knows.
 */
final class UsingJoins extends SqlShuttle {
  /** What a part of FROM is called, if it is one table, and its columns that were made of two. */
  private record Side(@Nullable String alias, Map<String, SqlNode> columns) {
    @Nullable SqlNode column(String name, SqlParserPos position) {
      return alias == null ? columns.get(name) : new SqlIdentifier(List.of(alias, name), position);
    }
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    if (call instanceof SqlOrderBy order) {
      SqlNode body = order.query instanceof SqlWith with ? with.body : order.query;
      if (body instanceof SqlSelect select) {
        Map<String, SqlNode> columns = rewrite(select);
        columns.keySet().removeAll(outputs(select));
        SqlNode keys = order.orderList.accept(new Names(columns));
        // A select that is rewritten already stays as it is.
        return new SqlOrderBy(
            order.getParserPosition(),
            order.query.accept(this),
            (SqlNodeList) keys,
            order.offset,
            order.fetch);
      }
    }
    if (call instanceof SqlSelect select) {
      rewrite(select);
    }
    return super.visit(call);
  }

  private static Set<String> outputs(SqlSelect select) {
    Set<String> names = new HashSet<>();
    for (SqlNode item : select.getSelectList()) {
      if (item.getKind() == SqlKind.AS) {
        names.add(((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple());
      } else if (item instanceof SqlIdentifier name) {
        names.add(name.names.getLast());
      }
    }
    return names;
  }

  /** Changes the select in place; the columns that USING made in it. */
  private static Map<String, SqlNode> rewrite(SqlSelect select) {
    if (!(select.getFrom() instanceof SqlJoin from)) {
      return new HashMap<>();
    }
    boolean star =
        select.getSelectList().stream()
            .anyMatch(item -> item instanceof SqlIdentifier name && name.isStar());
    Map<String, SqlNode> columns = new HashMap<>(join(from, !star).columns);
    if (columns.isEmpty()) {
      return columns;
    }
    Names names = new Names(columns);
    SqlNodeList items = new SqlNodeList(select.getSelectList().getParserPosition());
    for (SqlNode item : select.getSelectList()) {
      SqlNode changed = names.apply(item);
      boolean named = item instanceof SqlIdentifier name && name.isSimple() && changed != item;
      items.add(
          named
              ? SqlStdOperatorTable.AS.createCall(item.getParserPosition(), changed, item)
              : changed);
    }
    select.setSelectList(items);
    select.setWhere(names.optional(select.getWhere()));
    select.setHaving(names.optional(select.getHaving()));
    SqlNodeList groups = select.getGroup();
    if (groups != null) {
      select.setGroupBy((SqlNodeList) names.apply(groups));
    }
    return columns;
  }

  private static Side side(SqlNode node, boolean convert) {
    return switch (node.getKind()) {
      case JOIN -> join((SqlJoin) node, convert);
      case IDENTIFIER -> new Side(((SqlIdentifier) node).names.getLast(), Map.of());
      case TABLE_REF -> side(((SqlCall) node).operand(0), convert);
      case AS -> new Side(((SqlIdentifier) ((SqlCall) node).operand(1)).getSimple(), Map.of());
      default -> new Side(null, Map.of());
    };
  }

  private static Side join(SqlJoin join, boolean convert) {
    Side left = side(join.getLeft(), convert);
    Side right = side(join.getRight(), convert);
    Map<String, SqlNode> columns = new HashMap<>(left.columns);
    right.columns.forEach((name, column) -> columns.merge(name, column, (a, b) -> null));
    if (join.getConditionType() != JoinConditionType.USING
        || !(join.getCondition() instanceof SqlNodeList names)) {
      return new Side(null, columns);
    }
    List<SqlNode> equal = new ArrayList<>();
    for (SqlNode each : names) {
      SqlParserPos position = each.getParserPosition();
      String name = ((SqlIdentifier) each).getSimple();
      SqlNode a = left.column(name, position);
      SqlNode b = right.column(name, position);
      if (a == null || b == null) {
        return new Side(null, columns);
      }
      equal.add(SqlStdOperatorTable.EQUALS.createCall(position, a, b));
      columns.put(name, kept(join.getJoinType(), a, b, position));
    }
    if (left.alias == null || right.alias == null) {
      if (!convert) {
        return new Side(null, Map.of());
      }
      SqlParserPos position = names.getParserPosition();
      join.setOperand(4, JoinConditionType.ON.symbol(position));
      join.setOperand(
          5,
          equal.stream()
              .reduce((x, y) -> SqlStdOperatorTable.AND.createCall(position, x, y))
              .orElseThrow());
    }
    return new Side(null, columns);
  }

  private static SqlNode kept(JoinType type, SqlNode a, SqlNode b, SqlParserPos position) {
    return switch (type) {
      case RIGHT -> b;
      case FULL -> SqlStdOperatorTable.COALESCE.createCall(position, a, b);
      default -> a;
    };
  }

  /** Puts columns in the place of names; a query inside has names of its own. */
  private static final class Names extends SqlShuttle {
    private final Map<String, SqlNode> columns;

    Names(Map<String, SqlNode> columns) {
      this.columns = columns;
    }

    SqlNode apply(SqlNode node) {
      SqlNode changed = node.accept(this);
      return changed == null ? node : changed;
    }

    @Nullable SqlNode optional(@Nullable SqlNode node) {
      return node == null ? null : apply(node);
    }

    @Override
    public @Nullable SqlNode visit(SqlIdentifier name) {
      SqlNode column = name.isSimple() ? columns.get(name.getSimple()) : null;
      return column == null ? name : column.clone(name.getParserPosition());
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
      return switch (call.getKind()) {
        case SELECT, ORDER_BY, WITH, UNION, INTERSECT, EXCEPT, VALUES -> call;
        case AS -> {
          SqlNode value = apply(call.operand(0));
          yield value == call.operand(0)
              ? call
              : SqlStdOperatorTable.AS.createCall(call.getParserPosition(), value, call.operand(1));
        }
        default -> super.visit(call);
      };
    }
  }
}
