package dev.varve.engine.sql;

import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/** Resolves names and types of a query. Safe for concurrent use. */
public final class QueryValidator {
  /** A query whose every name and type is known, with what its conversion needs. */
  public record Validated(
      SqlNode query,
      SqlValidator validator,
      CalciteCatalogReader catalog,
      SchemaResolver tables,
      List<String> columnNames) {
    public Validated {
      columnNames = List.copyOf(columnNames);
    }
  }

  private static final SqlValidator.Config CONFIG =
      SqlValidator.Config.DEFAULT
          .withConformance(VarveConformance.INSTANCE)
          .withDefaultNullCollation(NullCollation.HIGH)
          .withIdentifierExpansion(true)
          .withTypeCoercionEnabled(true)
          .withTypeCoercionFactory(PostgresCoercion::new);

  private final SqlOperatorTable functions;

  public QueryValidator(SqlOperatorTable functions) {
    this.functions = functions;
  }

  /**
   * Validates a query; its tree is changed.
   *
   * @param parameters values to put in the parameters' places; null keeps the parameters, with the
   *     types that their surroundings give them
   * @throws VarveException for whatever is wrong with it, with the place
   */
  public Validated validate(
      SqlNode parsed, SchemaResolver tables, @Nullable List<@Nullable Object> parameters) {
    StatementCatalog catalog = new StatementCatalog(tables);
    try {
      SqlNode query =
          rewritten(parsed, new NumberedParameters(), new TypedLiterals(), new UsingJoins());
      if (parameters != null) {
        query = rewritten(query, new ParameterLiterals(parameters));
      }
      UnsupportedSyntax.check(query);
      CalciteCatalogReader reader = catalog.reader();
      SqlValidator validator = new Validator(functions, reader, tables);
      SqlNode valid = validator.validate(query);
      return new Validated(valid, validator, reader, tables, ColumnNames.of(valid, validator));
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      throw new ValidationErrors(catalog, functions, parsed).translate(e);
    }
  }

  private static SqlNode rewritten(SqlNode query, SqlShuttle... rewrites) {
    SqlNode result = query;
    for (SqlShuttle rewrite : rewrites) {
      result = Objects.requireNonNull(result.accept(rewrite), "query");
    }
    return result;
  }

  private static final class Validator extends SqlValidatorImpl {
    private final SchemaResolver tables;

    Validator(
        SqlOperatorTable functions, SqlValidatorCatalogReader catalog, SchemaResolver tables) {
      super(functions, catalog, CalciteTypes.FACTORY, CONFIG);
      this.tables = tables;
    }

    @Override
    public RelDataType deriveType(SqlValidatorScope scope, SqlNode expression) {
      tables.checkpoint();
      return super.deriveType(scope, expression);
    }

    @Override
    protected void validateOrderList(SqlSelect select) {
      SqlNodeList keys = select.getOrderList();
      if (keys != null) {
        select.setOrderBy(ColumnsBeforeAliases.qualified(keys, getRawSelectScope(select)));
      }
      super.validateOrderList(select);
    }

    @Override
    protected void validateHavingClause(SqlSelect select) {
      SqlNode condition = select.getHaving();
      if (condition != null) {
        select.setHaving(ColumnsBeforeAliases.qualified(condition, getRawSelectScope(select)));
      }
      super.validateHavingClause(select);
    }

    @Override
    protected void validateValues(SqlCall values, RelDataType target, SqlValidatorScope scope) {
      ((PostgresCoercion) getTypeCoercion()).unifyRows(scope, values);
      super.validateValues(values, target, scope);
    }
  }
}
