package dev.varve.engine.function;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.jspecify.annotations.Nullable;

/**
 * Every operator and function that a statement may use, found without regard to case. Functions
 * come from the registry; of the front end's own only those that have a syntax or a rewrite of
 * their own, and aggregates. Immutable, safe for concurrent use.
 */
public final class VarveOperatorTable implements SqlOperatorTable {
  private static final Set<String> STANDARD_FUNCTIONS =
      Set.of(
          "cast",
          "coalesce",
          "nullif",
          "case",
          "extract",
          "trim",
          "floor",
          "ceil",
          "position",
          "row",
          "grouping",
          "grouping_id",
          "group_id",
          "count",
          "sum",
          "$sum0",
          "avg",
          "min",
          "max",
          "any_value",
          "single_value",
          "literal_agg",
          "every",
          "some",
          "reinterpret",
          "default",
          "row_number",
          "rank",
          "dense_rank",
          "percent_rank",
          "cume_dist",
          "ntile",
          "lag",
          "lead",
          "first_value",
          "last_value",
          "nth_value");

  private final Map<String, List<SqlOperator>> operators = new HashMap<>();
  private final TreeSet<String> names = new TreeSet<>();

  public VarveOperatorTable(FunctionRegistry registry) {
    for (FunctionDefinition definition : registry.definitions()) {
      add(new RegistryOperator(definition));
    }
    add(DatetimeOperators.PLUS);
    add(DatetimeOperators.MINUS);
    add(ConcatOperator.INSTANCE);
    // The grammar's own name for translate with three arguments.
    operators.put("translate3", operators.getOrDefault("translate", List.of()));
    for (SqlOperator operator : SqlStdOperatorTable.instance().getOperatorList()) {
      String name = key(operator.getName());
      boolean function = operator instanceof SqlFunction;
      if (operator == SqlStdOperatorTable.PLUS
          || operator == SqlStdOperatorTable.MINUS
          || operator == SqlStdOperatorTable.CONCAT) {
        continue;
      }
      if (!function || STANDARD_FUNCTIONS.contains(name)) {
        add(operator);
      }
    }
    DeviationAggregate.ALL.forEach(this::add);
    add(SqlLibraryOperators.ILIKE);
    add(SqlLibraryOperators.NOT_ILIKE);
    add(SqlLibraryOperators.INFIX_CAST);
    add(SqlLibraryOperators.SAFE_CAST);
    add(SqlLibraryOperators.TRY_CAST);
    add(SqlLibraryOperators.BOOL_AND);
    add(SqlLibraryOperators.BOOL_OR);
  }

  /** Over the standard registry. */
  public static VarveOperatorTable standard() {
    return new VarveOperatorTable(FunctionRegistry.standard());
  }

  private void add(SqlOperator operator) {
    String name = key(operator.getName());
    operators.computeIfAbsent(name, ignored -> new ArrayList<>()).add(operator);
    if (operator instanceof SqlFunction && name.indexOf('$') < 0) {
      names.add(name);
    }
  }

  private static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      @Nullable SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> found,
      SqlNameMatcher matcher) {
    if (!name.isSimple()) {
      return;
    }
    for (SqlOperator operator : operators.getOrDefault(key(name.getSimple()), List.of())) {
      boolean fits =
          operator.getSyntax().family == syntax.family
              || (syntax == SqlSyntax.FUNCTION && operator instanceof SqlFunction);
      if (fits) {
        found.add(operator);
      }
    }
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    return operators.values().stream().flatMap(List::stream).toList();
  }

  /** Names of functions and aggregates for suggestions, lower case, sorted. */
  public List<String> names() {
    return List.copyOf(names);
  }
}
