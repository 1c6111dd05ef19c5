package dev.varve.service.flight;

import java.util.List;
import java.util.Map;
import org.apache.arrow.flight.sql.SqlInfoBuilder;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlNullOrdering;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlOuterJoinsSupportLevel;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedCaseSensitivity;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedGroupBy;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedResultSetType;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedSubqueries;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedTransaction;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlSupportedUnions;
import org.apache.arrow.flight.sql.impl.FlightSql.SqlTransactionIsolationLevel;
import org.apache.arrow.flight.sql.impl.FlightSql.SupportedAnsi92SqlGrammarLevel;
import org.apache.arrow.flight.sql.impl.FlightSql.SupportedSqlGrammar;

/** What clients ask about the server itself; a limit of 0 says that there is none. */
final class ServerFacts {
  static final List<String> NUMERIC_FUNCTIONS =
      List.of("abs", "ceil", "exp", "floor", "ln", "mod", "power", "round", "sign", "sqrt");
  static final List<String> STRING_FUNCTIONS =
      List.of("length", "lower", "position", "replace", "substring", "trim", "upper");
  static final List<String> DATETIME_FUNCTIONS =
      List.of("current_date", "current_timestamp", "date_trunc", "extract", "now");

  private ServerFacts() {}

  static SqlInfoBuilder of(int maxStatementLength) {
    String version = ServerFacts.class.getPackage().getImplementationVersion();
    SqlInfoBuilder facts =
        new SqlInfoBuilder()
            .withFlightSqlServerName("Varve")
            .withFlightSqlServerVersion(version == null ? "development" : version)
            .withFlightSqlServerArrowVersion(
                String.valueOf(
                    org.apache.arrow.vector.VectorSchemaRoot.class
                        .getPackage()
                        .getImplementationVersion()))
            .withFlightSqlServerReadOnly(false)
            .withFlightSqlServerSql(true)
            .withFlightSqlServerSubstrait(false)
            .withFlightSqlServerCancel(true)
            .withFlightSqlServerBulkIngestion(false)
            .withFlightSqlServerTransaction(SqlSupportedTransaction.SQL_SUPPORTED_TRANSACTION_NONE)
            .withFlightSqlServerStatementTimeout(0)
            .withFlightSqlServerTransactionTimeout(0);
    names(facts);
    abilities(facts);
    limits(facts, maxStatementLength);
    return facts;
  }

  private static void names(SqlInfoBuilder facts) {
    facts
        .withSqlIdentifierQuoteChar("\"")
        .withSqlSearchStringEscape("\\")
        .withSqlExtraNameCharacters("")
        .withSqlCatalogTerm("catalog")
        .withSqlSchemaTerm("schema")
        .withSqlProcedureTerm("procedure")
        .withSqlCatalogAtStart(true)
        .withSqlIdentifierCase(SqlSupportedCaseSensitivity.SQL_CASE_SENSITIVITY_LOWERCASE)
        .withSqlQuotedIdentifierCase(
            SqlSupportedCaseSensitivity.SQL_CASE_SENSITIVITY_CASE_INSENSITIVE)
        .withSqlKeywords(new String[] {"ANALYZE", "COPY", "EXPLAIN", "ORDERED", "SHOW", "USE"})
        .withSqlNumericFunctions(NUMERIC_FUNCTIONS.toArray(String[]::new))
        .withSqlStringFunctions(STRING_FUNCTIONS.toArray(String[]::new))
        .withSqlDatetimeFunctions(DATETIME_FUNCTIONS.toArray(String[]::new))
        .withSqlSystemFunctions(new String[0]);
  }

  private static void abilities(SqlInfoBuilder facts) {
    facts
        .withSqlDdlCatalog(false)
        .withSqlDdlSchema(true)
        .withSqlDdlTable(true)
        .withSqlAllTablesAreSelectable(true)
        .withSqlNullOrdering(SqlNullOrdering.SQL_NULLS_SORTED_HIGH)
        .withSqlNullPlusNullIsNull(true)
        .withSqlSupportsColumnAliasing(true)
        .withSqlSupportsTableCorrelationNames(true)
        .withSqlSupportsDifferentTableCorrelationNames(false)
        .withSqlSupportsExpressionsInOrderBy(true)
        .withSqlSupportsOrderByUnrelated(true)
        .withSqlSupportsLikeEscapeClause(true)
        .withSqlSupportsNonNullableColumns(true)
        .withSqlSupportsIntegrityEnhancementFacility(false)
        .withSqlSupportedGroupBy(
            SqlSupportedGroupBy.SQL_GROUP_BY_UNRELATED,
            SqlSupportedGroupBy.SQL_GROUP_BY_BEYOND_SELECT)
        .withSqlSupportedGrammar(
            SupportedSqlGrammar.SQL_MINIMUM_GRAMMAR, SupportedSqlGrammar.SQL_CORE_GRAMMAR)
        .withSqlAnsi92SupportedLevel(SupportedAnsi92SqlGrammarLevel.ANSI92_ENTRY_SQL)
        .withSqlOuterJoinSupportLevel(
            SqlOuterJoinsSupportLevel.SQL_LIMITED_OUTER_JOINS,
            SqlOuterJoinsSupportLevel.SQL_FULL_OUTER_JOINS)
        .withSqlSchemasSupportedActions()
        .withSqlCatalogsSupportedActions()
        .withSqlSupportedPositionedCommands()
        .withSqlSelectForUpdateSupported(false)
        .withSqlStoredProceduresSupported(false)
        .withSqlSubQueriesSupported(
            SqlSupportedSubqueries.SQL_SUBQUERIES_IN_COMPARISONS,
            SqlSupportedSubqueries.SQL_SUBQUERIES_IN_EXISTS,
            SqlSupportedSubqueries.SQL_SUBQUERIES_IN_INS,
            SqlSupportedSubqueries.SQL_SUBQUERIES_IN_QUANTIFIEDS)
        .withSqlCorrelatedSubqueriesSupported(true)
        .withSqlSupportedUnions(SqlSupportedUnions.SQL_UNION, SqlSupportedUnions.SQL_UNION_ALL)
        .withSqlTransactionsSupported(false)
        .withSqlDefaultTransactionIsolation(SqlTransactionIsolationLevel.SQL_TRANSACTION_NONE_VALUE)
        .withSqlSupportedTransactionsIsolationLevels(
            SqlTransactionIsolationLevel.SQL_TRANSACTION_NONE)
        .withSqlDataDefinitionCausesTransactionCommit(false)
        .withSqlDataDefinitionsInTransactionsIgnored(false)
        .withSqlSupportedResultSetTypes(SqlSupportedResultSetType.SQL_RESULT_SET_TYPE_FORWARD_ONLY)
        .withSqlBatchUpdatesSupported(true)
        .withSqlSavepointsSupported(false)
        .withSqlNamedParametersSupported(false)
        .withSqlLocatorsUpdateCopy(false)
        .withSqlStoredFunctionsUsingCallSyntaxSupported(false)
        .withSqlSupportsConvert(Map.of());
  }

  private static void limits(SqlInfoBuilder facts, int maxStatementLength) {
    facts
        .withSqlMaxBinaryLiteralLength(0)
        .withSqlMaxCharLiteralLength(0)
        .withSqlMaxColumnNameLength(0)
        .withSqlMaxColumnsInGroupBy(0)
        .withSqlMaxColumnsInIndex(0)
        .withSqlMaxColumnsInOrderBy(0)
        .withSqlMaxColumnsInSelect(0)
        .withSqlMaxColumnsInTable(0)
        .withSqlMaxConnections(0)
        .withSqlMaxCursorNameLength(0)
        .withSqlMaxIndexLength(0)
        .withSqlDbSchemaNameLength(0)
        .withSqlMaxProcedureNameLength(0)
        .withSqlMaxCatalogNameLength(0)
        .withSqlMaxRowSize(0)
        .withSqlMaxRowSizeIncludesBlobs(true)
        .withSqlMaxStatementLength(maxStatementLength)
        .withSqlMaxStatements(PreparedStatements.MAX_OF_A_USER)
        .withSqlMaxTableNameLength(0)
        .withSqlMaxTablesInSelect(0)
        .withSqlMaxUsernameLength(0);
  }
}
