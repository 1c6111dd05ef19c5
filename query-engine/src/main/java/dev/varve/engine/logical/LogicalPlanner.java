package dev.varve.engine.logical;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.sql.CalciteTypes;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.QueryValidator;
import dev.varve.engine.sql.SchemaResolver;
import dev.varve.engine.sql.SqlFrontEnd;
import dev.varve.engine.sql.ValidationErrors;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * Validates a query and turns it into an optimised algebra tree. Safe for concurrent use; every
 * call has its own cluster and metadata.
 */
public final class LogicalPlanner {
  private final QueryValidator validator;
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();
  private final RexExecutor executor;

  /**
   * @param functions the operators and functions of SQL
   * @param executor folds constants by the engine's own functions; leaves what fails as it is
   */
  public LogicalPlanner(SqlOperatorTable functions, RexExecutor executor) {
    this.validator = new QueryValidator(functions);
    this.executor = executor;
  }

  /**
   * Plans a query. Each {@code ?} becomes a literal of its type in that place.
   *
   * @param parameters values as {@link dev.varve.engine.batch.Column#value} gives them
   * @throws dev.varve.layout.error.VarveException for every fault of the query, with its position
   */
  public LogicalPlan plan(
      SqlNode query, SchemaResolver tables, List<@Nullable Object> parameters, Settings settings) {
    return plan(validator.validate(query, tables, parameters), settings);
  }

  /**
   * Plans a query for any values of its parameters ({@code ?} or {@code $1}), whose types are those
   * that their surroundings want.
   *
   * @throws dev.varve.layout.error.VarveException also where a parameter could be of any type
   */
  public LogicalPlan planParameterized(SqlNode query, SchemaResolver tables, Settings settings) {
    return plan(validator.validate(query, tables, null), settings);
  }

  private LogicalPlan plan(QueryValidator.Validated validated, Settings settings) {
    try {
      RelNode rel = algebra(validated, null);
      Schema schema = CalciteTypes.schema(validated.columnNames(), rel.getRowType());
      List<DataType> parameters = ParameterTypes.in(rel);
      return new LogicalPlan(optimize(rel, settings, validated.tables()), schema, parameters);
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      throw ValidationErrors.unexpected(e);
    }
  }

  /**
   * Plans the source of an INSERT: its output has exactly the target's columns, in order, each cast
   * to the column's type, NULL where no column was named.
   *
   * @param columns the columns named in the statement; none means all, in order
   */
  public LogicalPlan planInsert(
      SqlNode source,
      Schema target,
      List<QualifiedName> columns,
      SchemaResolver tables,
      List<@Nullable Object> parameters,
      Settings settings) {
    QueryValidator.Validated validated = validator.validate(source, tables, parameters);
    try {
      RelNode rel = new InsertSource(target, columns).convert(algebra(validated, null), source);
      return new LogicalPlan(optimize(rel, settings, validated.tables()), target, List.of());
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      throw ValidationErrors.unexpected(e);
    }
  }

  /**
   * The types of the parameters of an INSERT, all of which is checked: those of the columns that
   * they are values of, or those that their surroundings want.
   */
  public List<DataType> insertParameters(
      SqlNode source, Schema target, List<QualifiedName> columns, SchemaResolver tables) {
    InsertSource insert = new InsertSource(target, columns);
    QueryValidator.Validated validated =
        validator.validate(insert.withTypedParameters(source), tables, null);
    try {
      return ParameterTypes.in(insert.convert(algebra(validated, null), source));
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      throw ValidationErrors.unexpected(e);
    }
  }

  /**
   * The columns that a new view's query has, all of it checked.
   *
   * @param name the view's full name, which its query must not lead back to
   */
  public Schema viewColumns(SqlNode query, SchemaResolver tables, String name) {
    QueryValidator.Validated validated = validator.validate(query, tables, List.of());
    try {
      RelNode rel = algebra(validated, name);
      return CalciteTypes.schema(validated.columnNames(), rel.getRowType());
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      throw ValidationErrors.unexpected(e);
    }
  }

  private RelNode algebra(QueryValidator.Validated validated, @Nullable String defined) {
    RelRoot root =
        AlgebraConverter.convert(
            validated,
            executor,
            new ViewExpansion.Source(frontEnd, validator, validated.tables(), defined));
    return root.project();
  }

  private static RelNode optimize(RelNode query, Settings settings, SchemaResolver statement) {
    RelNode plan =
        Phases.apply(query, settings.get(EngineSettings.OPTIMIZER), statement::checkpoint);
    PlanCheck.check(plan);
    if (query.getCluster().getRexBuilder() instanceof InterruptibleRexBuilder builder) {
      builder.release();
    }
    return plan;
  }
}
