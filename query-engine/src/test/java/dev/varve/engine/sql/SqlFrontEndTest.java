package dev.varve.engine.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlFrontEndTest {
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();

  private <T extends Statement> T parse(Class<T> type, String sql) {
    return assertThat(frontEnd.parse(sql)).isInstanceOf(type).extracting(type::cast).actual();
  }

  @Test
  void parsesCreateTableWithAnOrderingAndOptions() {
    Statement.CreateTable table =
        parse(
            Statement.CreateTable.class,
            """
            CREATE TABLE IF NOT EXISTS lake.web.Events (
              id bigint NOT NULL, name text, at timestamptz, price decimal(12, 2), date date,
              "Weird Name" varchar(20), f float, r float4, u uuid, b bytea, flag bool)
            ORDERED BY (at DESC, id, name ASC NULLS FIRST)
            WITH (bloom_columns = (id, name), row_group_rows = 1000, "Codec" = 'zstd', checked)
            """);
    assertThat(table.name().parts()).containsExactly("lake", "web", "events");
    assertThat(table.ifNotExists()).isTrue();
    assertThat(table.columns())
        .extracting(Statement.ColumnDefinition::name)
        .containsExactly(
            "id", "name", "at", "price", "date", "Weird Name", "f", "r", "u", "b", "flag");
    assertThat(table.columns())
        .extracting(Statement.ColumnDefinition::type)
        .containsExactly(
            DataType.BIGINT,
            DataType.VARCHAR,
            DataType.TIMESTAMPTZ,
            DataType.decimal(12, 2),
            DataType.DATE,
            DataType.VARCHAR,
            DataType.DOUBLE,
            DataType.REAL,
            DataType.UUID,
            DataType.VARBINARY,
            DataType.BOOLEAN);
    assertThat(table.columns().getFirst().notNull()).isTrue();
    assertThat(table.columns().get(1).notNull()).isFalse();
    assertThat(table.orderedBy())
        .extracting(k -> k.column() + " " + k.descending() + " " + k.nullsFirst())
        .containsExactly("at true true", "id false false", "name false true");
    assertThat(table.options())
        .isEqualTo(
            Map.of(
                "bloom_columns", "id,name",
                "row_group_rows", "1000",
                "codec", "zstd",
                "checked", "true"));
  }

  @Test
  void parsesCreateTableAs() {
    Statement.CreateTableAs table =
        parse(
            Statement.CreateTableAs.class,
            "create table t ordered by (a) with (x = 1) as select 1 as a order by a limit 3;");
    assertThat(table.orderedBy()).hasSize(1);
    assertThat(table.options()).containsEntry("x", "1");
    assertThat(table.query().toString()).contains("SELECT 1 AS", "ORDER BY");
  }

  @Test
  void parsesSchemaStatements() {
    assertThat(parse(Statement.CreateSchema.class, "CREATE SCHEMA IF NOT EXISTS a.b").ifNotExists())
        .isTrue();
    Statement.DropSchema drop =
        parse(Statement.DropSchema.class, "DROP SCHEMA IF EXISTS a CASCADE");
    assertThat(drop.ifExists()).isTrue();
    assertThat(drop.cascade()).isTrue();
    assertThat(parse(Statement.DropTable.class, "DROP TABLE a.b.c").ifExists()).isFalse();
  }

  @Test
  void parsesInsertWithAndWithoutColumns() {
    Statement.Insert named =
        parse(
            Statement.Insert.class,
            "INSERT INTO t (a, date) VALUES (1, DATE '2020-01-01'), (2, null)");
    assertThat(named.columns()).extracting(QualifiedName::last).containsExactly("a", "date");
    assertThat(named.columns().get(1).position().column()).isEqualTo(19);
    assertThat(parse(Statement.Insert.class, "INSERT INTO t SELECT * FROM u").columns()).isEmpty();
    assertThat(parse(Statement.Insert.class, "INSERT INTO t (SELECT * FROM u)").columns())
        .isEmpty();
    assertThat(
            parse(Statement.Insert.class, "INSERT INTO t WITH x AS (SELECT 1) SELECT * FROM x")
                .source()
                .toString())
        .startsWith("WITH");
  }

  @Test
  void parsesCopy() {
    Statement.CopyFrom from =
        parse(
            Statement.CopyFrom.class,
            "COPY lake.s.t FROM 'data/*.parquet' WITH (format = parquet)");
    assertThat(from.path()).isEqualTo("data/*.parquet");
    assertThat(from.options()).isEqualTo(Map.of("format", "parquet"));
    Statement.CopyTo to =
        parse(
            Statement.CopyTo.class,
            "COPY (SELECT a FROM t ORDER BY a) TO 'x.parquet' (compression zstd)");
    assertThat(to.query().toString()).contains("ORDER BY");
    assertThat(to.options()).isEqualTo(Map.of("compression", "zstd"));
    assertThat(parse(Statement.CopyTo.class, "COPY a.b TO 'x'").query().toString())
        .isEqualTo("SELECT *\nFROM `a`.`b`");
  }

  @Test
  void parsesCallWithPositionalAndNamedLiterals() {
    Statement.Call call =
        parse(
            Statement.Call.class,
            "CALL system.compact('lake.s.t', target_bytes => -5, dry_run => TRUE, x => 1.5, y => 2e3, z => null)");
    assertThat(call.procedure().parts()).containsExactly("system", "compact");
    assertThat(call.arguments())
        .extracting(Statement.Argument::name)
        .containsExactly(null, "target_bytes", "dry_run", "x", "y", "z");
    assertThat(call.arguments())
        .extracting(Statement.Argument::value)
        .containsExactly("lake.s.t", -5L, true, new BigDecimal("1.5"), 2000.0, null);
    assertThat(parse(Statement.Call.class, "CALL system.gc()").arguments()).isEmpty();
    // A reserved word, as it is and quoted.
    assertThat(
            parse(Statement.Call.class, "CALL system.x(Table => 't', \"table\" => 'u')")
                .arguments())
        .extracting(Statement.Argument::name)
        .containsExactly("table", "table");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SHOW CATALOGS|CATALOGS||",
        "SHOW SCHEMAS|SCHEMAS||",
        "SHOW SCHEMAS FROM lake LIKE 'w%'|SCHEMAS|lake|w%",
        "SHOW TABLES IN lake.web|TABLES|lake.web|",
        "SHOW COLUMNS FROM lake.web.t|COLUMNS|lake.web.t|",
        "SHOW FUNCTIONS LIKE 'date%'|FUNCTIONS||date%",
        "SHOW ALL|SETTINGS||",
        "SHOW SETTINGS|SETTINGS||",
        "SHOW execution.batch_size|SETTING|execution.batch_size|",
        "show timezone|SETTING|timezone|",
      })
  void parsesShow(String sql, Statement.ShowKind kind, String from, String like) {
    Statement.Show show = parse(Statement.Show.class, sql);
    assertThat(show.kind()).isEqualTo(kind);
    assertThat(show.from().map(QualifiedName::toString)).isEqualTo(Optional.ofNullable(from));
    assertThat(show.like()).isEqualTo(Optional.ofNullable(like));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SET execution.batch_size = 10|execution.batch_size|10",
        "SET timezone TO 'Europe/Berlin'|timezone|Europe/Berlin",
        "SET SESSION optimizer.enabled = false|optimizer.enabled|false",
        "SET x = on|x|on",
        "SET x = -1.5|x|-1.5",
        "SET memory.query_limit = '64MB'|memory.query_limit|64MB",
      })
  void parsesSet(String sql, String name, String value) {
    Statement.SetSetting set = parse(Statement.SetSetting.class, sql);
    assertThat(set.name()).isEqualTo(name);
    assertThat(set.value()).isEqualTo(value);
  }

  @Test
  void parsesTheRest() {
    assertThat(parse(Statement.ResetSetting.class, "RESET ALL").name()).isEmpty();
    assertThat(parse(Statement.ResetSetting.class, "RESET a.b").name()).contains("a.b");
    assertThat(parse(Statement.Use.class, "USE lake.web").name().parts())
        .containsExactly("lake", "web");
    assertThat(parse(Statement.Describe.class, "DESCRIBE lake.web.t").table().last())
        .isEqualTo("t");
    assertThat(parse(Statement.Describe.class, "DESC TABLE t").table().last()).isEqualTo("t");
    Statement.Explain explain =
        parse(Statement.Explain.class, "EXPLAIN ANALYZE VERBOSE INSERT INTO t SELECT 1");
    assertThat(explain.analyze()).isTrue();
    assertThat(explain.verbose()).isTrue();
    assertThat(explain.statement()).isInstanceOf(Statement.Insert.class);
    assertThat(parse(Statement.Explain.class, "EXPLAIN SELECT 1").analyze()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 AS next, value, year, month, day, name, type, count FROM data WHERE position = 1",
        "SELECT a::int, b::decimal(10,2), 'x'::text, -1::int8, now()::date FROM t",
        "SELECT a FROM 'x/*.parquet' AS x WHERE x.a > 1",
        "SELECT * FROM 'x/*.parquet'",
        "SELECT * FROM t LIMIT 5 OFFSET 2",
        "SELECT * FROM t OFFSET 2 LIMIT 5",
        "SELECT * FROM t OFFSET 2 ROWS FETCH FIRST 5 ROWS ONLY",
        "SELECT date '2020-01-01' + interval '1 day', interval '1 year 2 months', interval '3' day",
        "SELECT d - interval '90 days', t + interval '04:05:06.5' FROM x",
        "SELECT a ILIKE 'x%', a NOT ILIKE 'y' FROM t",
        "SELECT * EXCLUDE (a) FROM t",
        "SELECT count(*) FILTER (WHERE a > 1), sum(DISTINCT b) FROM t GROUP BY GROUPING SETS ((a), ())",
        "SELECT E'a\\nb', 'it''s', U&'\\00e9', '日本' FROM t",
        "SELECT a FROM t WHERE (a, b) IN ((1, 2), (3, 4)) AND c != 3 AND d % 2 = 0",
        "TABLE t",
        "VALUES (1, 'a'), (2, 'b')",
        "(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1",
        "WITH RECURSIVE x AS (SELECT 1) SELECT * FROM x",
        "SELECT CASE WHEN a THEN 1 ELSE 2 END, CAST(a AS double precision), EXTRACT(year FROM d) FROM t",
        "SELECT a FROM t WHERE a = ? AND b BETWEEN ? AND ?",
        "SELECT substring(a from 1 for 2), position('a' in b), trim(both ' ' from c) FROM t",
        "SELECT timestamp '2020-01-01 00:00:00', timestamp with time zone '2020-01-01 00:00:00+00'",
        "SELECT cast(a as timestamp with time zone), cast(a as timestamp(3) without time zone) FROM t;",
      })
  void parsesQueries(String sql) {
    assertThat(frontEnd.parse(sql)).isInstanceOf(Statement.Query.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELEC 1|syntax error at 'SELEC'; did you mean SELECT? (line 1, column 1)",
        "SELECT a FORM t|syntax error at 't'; did you mean FROM instead of 'FORM'? (line 1, column 15)",
        "SELECT a FROM t WHER a = 1|syntax error at 'a'; did you mean WHERE instead of 'WHER'? (line 1, column 22)",
        "SELECT a FROM t ORDER a|syntax error at 'a'; expected BY (line 1, column 23)",
        "SELECT (1|syntax error at the end of the statement (line 1, column 10)",
        "SELECT 'abc|the string that begins here does not end (line 1, column 8)",
        "CREATE TABLE t|a table needs columns or AS and a query (line 1, column 15)",
        "CREATE TABLE t (a integr)|Type 'integr' does not exist; did you mean 'integer'? (line 1, column 19)",
        "CREATE TABLE t (a decimal(40,2))|decimal precision 40 is not between 1 and 38 (line 1, column 19)",
        "CREATE TABLE t (a int array)|type INTEGER ARRAY is not supported yet (line 1, column 19)",
        "CREATE TABLE t (a int) WITH (x = 1, x = 2)|option 'x' is given twice (line 1, column 37)",
        "DROP TABEL t|syntax error at 'TABEL'; did you mean TABLE? (line 1, column 6)",
        "SELECT interval '1 fortnight'|invalid interval '1 fortnight' (line 1, column 8)",
        "SELECT interval '1 month 1 day'|an interval of both months and days is not supported: '1 month 1 day' (line 1, column 8)",
        "SELECT 1; SELECT 2|syntax error at 'SELECT'; expected ';' or the end (line 1, column 11)",
        "CALL p(1 + 1)|syntax error at '+'; expected ')' or ',' (line 1, column 10)",
      })
  void saysWhereTheSyntaxIsWrong(String sql, String message) {
    VarveException failure = catchThrowableOfType(VarveException.class, () -> frontEnd.parse(sql));
    assertThat(failure).isNotNull();
    assertThat(failure.describe()).isEqualTo(message);
  }

  @Test
  void saysThatAStatementIsEmpty() {
    for (String sql : List.of("", " -- nothing", ";")) {
      assertThatThrownBy(() -> frontEnd.parse(sql))
          .isInstanceOfSatisfying(
              VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX_ERROR));
    }
  }

  @Test
  void aHugeNestingIsAnErrorAndNoCrash() {
    String sql = "SELECT " + "(".repeat(100_000) + "1" + ")".repeat(100_000);
    assertThatThrownBy(() -> frontEnd.parse(sql))
        .isInstanceOf(VarveException.class)
        .hasMessage("the statement is nested too deeply");
  }

  @Test
  void splitsScripts() {
    String script =
        """
        -- a comment; with a semicolon
        SELECT ';' AS "a;b"; /* ; */ ;

        SELECT E'it\\'s;'
        ;SET x = 1""";
    assertThat(frontEnd.parseScript(script))
        .extracting(ParsedStatement::text)
        .containsExactly("SELECT ';' AS \"a;b\"", "SELECT E'it\\'s;'", "SET x = 1");
    assertThatThrownBy(() -> frontEnd.parseScript("SELECT 1;\n  SELECT 1 +;"))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.position()).isEqualTo(new SourcePosition(2, 13)));
  }
}
