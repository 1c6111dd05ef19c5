package dev.varve.engine.function;

import java.util.List;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.jspecify.annotations.Nullable;

/** Every operator and function that a statement may use, found without regard to case. */
public final class VarveOperatorTable implements SqlOperatorTable {
  private final FunctionRegistry registry;

  public VarveOperatorTable(FunctionRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      @Nullable SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> operators,
      SqlNameMatcher matcher) {
    throw new IllegalStateException("lookup");
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    return List.of();
  }

  /** Names for suggestions, lower case. */
  public List<String> names() {
    return registry.names();
  }
}
