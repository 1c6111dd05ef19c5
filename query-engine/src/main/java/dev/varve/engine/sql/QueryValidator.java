package dev.varve.engine.sql;

import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorCatalogReader;
import org.apache.calcite.sql.validate.SqlValidatorImpl;
import org.jspecify.annotations.Nullable;

/** Resolves names and types of a query. Safe for concurrent use. */
public final class QueryValidator {
  /** A query whose every name and type is known, with what its conversion needs. */
  public record Validated(
      SqlNode query,
      SqlValidator validator,
      CalciteCatalogReader catalog,
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
   * @throws VarveException for whatever is wrong with it, with the place
   */
  public Validated validate(
      SqlNode parsed, SchemaResolver tables, List<@Nullable Object> parameters) {
    StatementCatalog catalog = new StatementCatalog(tables);
    try {
      SqlNode query =
          Objects.requireNonNull(
              Objects.requireNonNull(
                      Objects.requireNonNull(parsed.accept(new TypedLiterals()), "query")
                          .accept(new UsingJoins()),
                      "query")
                  .accept(new ParameterLiterals(parameters)),
              "query");
      UnsupportedSyntax.check(query);
      CalciteCatalogReader reader = catalog.reader();
      SqlValidator validator = new Validator(functions, reader);
      SqlNode valid = validator.validate(query);
      return new Validated(valid, validator, reader, ColumnNames.of(valid, validator));
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      throw new ValidationErrors(catalog, functions, parsed).translate(e);
    }
  }

  private static final class Validator extends SqlValidatorImpl {
    Validator(SqlOperatorTable functions, SqlValidatorCatalogReader catalog) {
      super(functions, catalog, CalciteTypes.FACTORY, CONFIG);
    }
  }
}
