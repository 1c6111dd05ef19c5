package dev.varve.engine.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/** The names of a query's columns as PostgreSQL gives them; not necessarily unique. */
final class ColumnNames {
  private static final Pattern GENERATED = Pattern.compile("EXPR\\$\\d+");

  private ColumnNames() {}

  static List<String> of(SqlNode query, SqlValidator validator) {
    List<String> validated = validator.getValidatedNodeType(query).getFieldNames();
    SqlSelect select = firstSelect(query);
    SqlNodeList items = select == null ? null : select.getSelectList();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < validated.size(); i++) {
      SqlNode item = items != null && items.size() == validated.size() ? items.get(i) : null;
      names.add(name(item, validated.get(i)));
    }
    return names;
  }

  private static @Nullable SqlSelect firstSelect(SqlNode query) {
    return switch (query) {
      case SqlSelect select -> select;
      case SqlOrderBy order -> firstSelect(order.query);
      case SqlWith with -> firstSelect(with.body);
      case SqlCall call when SqlKind.SET_QUERY.contains(call.getKind()) ->
          firstSelect(call.operand(0));
      default -> null;
    };
  }

  private static String name(@Nullable SqlNode item, String validated) {
    if (item instanceof SqlCall as && as.getKind() == SqlKind.AS) {
      String alias = ((SqlIdentifier) as.operand(1)).getSimple();
      return GENERATED.matcher(alias).matches() ? ofExpression(as.operand(0)) : alias;
    }
    if (item instanceof SqlIdentifier column && !column.isStar()) {
      return column.names.getLast();
    }
    return GENERATED.matcher(validated).matches()
        ? (item == null
            ? "column" + (Integer.parseInt(validated.substring(5)) + 1)
            : ofExpression(item))
        : validated;
  }

  private static String ofExpression(SqlNode expression) {
    return switch (expression) {
      case SqlIdentifier column when !column.isStar() -> column.names.getLast();
      case SqlCall call when call.getKind() == SqlKind.CAST -> ofCast(call);
      case SqlCall call when call.getKind() == SqlKind.CASE -> "case";
      case SqlCall call when call.getKind() == SqlKind.FILTER -> ofExpression(call.operand(0));
      case SqlCall call when call.getOperator() instanceof SqlFunction ->
          call.getOperator().getName().toLowerCase(Locale.ROOT);
      default -> "?column?";
    };
  }

  private static String ofCast(SqlCall cast) {
    String inner = ofExpression(cast.operand(0));
    return inner.equals("?column?")
        ? cast.operand(1).toString().replaceAll("\\(.*", "").toLowerCase(Locale.ROOT)
        : inner;
  }
}
