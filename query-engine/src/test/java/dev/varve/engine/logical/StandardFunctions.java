package dev.varve.engine.logical;

import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlLibrary;
import org.apache.calcite.sql.fun.SqlLibraryOperatorTableFactory;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.jspecify.annotations.Nullable;

/** The standard's operators, found without regard to case, and a volatile random(). */
final class StandardFunctions implements SqlOperatorTable {
  private static final SqlFunction RANDOM =
      new SqlFunction(
          "random",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.DOUBLE,
          null,
          OperandTypes.NILADIC,
          SqlFunctionCategory.NUMERIC) {
        @Override
        public boolean isDeterministic() {
          return false;
        }
      };

  private static final SqlOperatorTable CALCITE =
      SqlLibraryOperatorTableFactory.INSTANCE.getOperatorTable(
          SqlLibrary.STANDARD, SqlLibrary.POSTGRESQL);

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      @Nullable SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> found,
      SqlNameMatcher matcher) {
    String word = name.toString().toLowerCase(Locale.ROOT);
    for (SqlOperator operator : getOperatorList()) {
      if (operator.getName().toLowerCase(Locale.ROOT).equals(word)
          && (operator.getSyntax().family == syntax.family
              || (syntax == SqlSyntax.FUNCTION && operator instanceof SqlFunction))) {
        found.add(operator);
      }
    }
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    java.util.ArrayList<SqlOperator> all = new java.util.ArrayList<>(CALCITE.getOperatorList());
    all.removeIf(operator -> operator.getName().equalsIgnoreCase("random"));
    all.add(RANDOM);
    return all;
  }
}
