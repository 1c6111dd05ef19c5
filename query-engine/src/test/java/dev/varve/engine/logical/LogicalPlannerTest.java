package dev.varve.engine.logical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.function.VarveOperatorTable;
import dev.varve.engine.sql.SqlFrontEnd;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.type.Field;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.TableScan;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogicalPlannerTest {
  private final SqlFrontEnd frontEnd = new SqlFrontEnd();
  private final TestTables tables = TestTables.tpch();
  private final LogicalPlanner planner =
      new LogicalPlanner(
          VarveOperatorTable.standard(),
          (rex, expressions, reduced) -> reduced.addAll(expressions));

  private LogicalPlan plan(String sql, Settings settings, @Nullable Object... parameters) {
    Statement.Query query = (Statement.Query) frontEnd.parse(sql);
    return planner.plan(query.query(), tables, Arrays.asList(parameters), settings);
  }

  private LogicalPlan plan(String sql, @Nullable Object... parameters) {
    return plan(sql, Settings.DEFAULTS, parameters);
  }

  private String text(String sql, @Nullable Object... parameters) {
    return RelOptUtil.toString(plan(sql, parameters).root()).strip();
  }

  private String failure(String sql) {
    VarveException failure = catchThrowableOfType(VarveException.class, () -> plan(sql));
    return failure == null ? "no failure" : failure.code() + ": " + failure.describe();
  }

  static String tpch(int number) {
    String file = "/tpch/q%02d.sql".formatted(number);
    try (InputStream in = LogicalPlannerTest.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
  void plansTpch(int number) {
    LogicalPlan plan = plan(tpch(number));
    if (Boolean.getBoolean("print.plans")) {
      System.out.println("q" + number + "\n" + RelOptUtil.toString(plan.root()));
    }
    assertThat(PlanTree.hasSubQuery(plan.root())).isFalse();
    assertThat(PlanTree.hasCorrelation(plan.root())).isFalse();
    plan(tpch(number), Settings.DEFAULTS.with(EngineSettings.OPTIMIZER, false));
  }

  @ParameterizedTest
  @CsvSource({
    "2, 8", "4, 1", "5, 5", "7, 5", "8, 7", "9, 5", "16, 2", "17, 2", "18, 3", "20, 4", "21, 5"
  })
  void joinsNoTableTwice(int number, int joins) {
    assertThat(PlanTree.count(plan(tpch(number)).root(), Join.class::isInstance)).isEqualTo(joins);
  }

  @Test
  void planningTimeIsPrinted() {
    for (int round = 0; round < 5; round++) {
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (int number = 1; number <= 22; number++) {
        plan(tpch(number));
      }
      long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
      System.out.printf("TPC-H planning, round %d: %.1f ms a query%n", round, nanos / 22e6);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT regoin FROM n|UNDEFINED_COLUMN: Column 'regoin' not found in n (line 1, column 8)",
        "SELECT r_nmae FROM region|UNDEFINED_COLUMN: Column 'r_nmae' not found in region; did you mean 'r_name'? (line 1, column 8)",
        "SELECT r.r_nmae FROM region r|UNDEFINED_COLUMN: Column 'r_nmae' not found in r; did you mean 'r_name'? (line 1, column 10)",
        "SELECT x.a FROM t|UNDEFINED_TABLE: FROM has no table 'x' (line 1, column 8)",
        "SELECT 1 FROM regoin|UNDEFINED_TABLE: Table 'regoin' does not exist in lake.main; did you mean 'region'? (line 1, column 15)",
        "SELECT 1 FROM mian.region|UNDEFINED_SCHEMA: Schema 'mian' does not exist in lake; did you mean 'main'? (line 1, column 15)",
        "SELECT 1 FROM lkae.main.region|UNDEFINED_CATALOG: Catalog 'lkae' does not exist; did you mean 'lake'? (line 1, column 15)",
        "SELECT 1 FROM lake.main.regoin|UNDEFINED_TABLE: Table 'lake.main.regoin' does not exist; did you mean 'region'? (line 1, column 15)",
        "SELECT a FROM t, n|AMBIGUOUS_COLUMN: Column 'a' is in more than one table; write its table's name before it (line 1, column 8)",
        "SELECT uppre(c) FROM t|UNDEFINED_FUNCTION: Function 'uppre' does not exist; did you mean 'upper'? (line 1, column 8)",
        "SELECT a, count(*) FROM t|GROUPING_ERROR: 'a' is neither grouped nor aggregated; put it into GROUP BY or into an aggregate function (line 1, column 8)",
        "SELECT a FROM t WHERE count(*) > 1|GROUPING_ERROR: aggregate expression is illegal in WHERE clause (line 1, column 23)",
        "SELECT a FROM t WHERE c = 5|TYPE_MISMATCH: cannot compare varchar with integer; cast one of them (line 1, column 27)",
        "SELECT a FROM t WHERE c IN (1, 2)|TYPE_MISMATCH: cannot compare varchar with integer; cast one of them (line 1, column 29)",
        "SELECT a FROM t WHERE a BETWEEN 1 AND c|TYPE_MISMATCH: cannot compare integer with varchar; cast one of them (line 1, column 39)",
        "SELECT a FROM t WHERE g = 1|TYPE_MISMATCH: cannot compare boolean with integer; cast one of them (line 1, column 27)",
        "SELECT a + c FROM t|TYPE_MISMATCH: there is no integer + varchar; cast the arguments (line 1, column 8)",
        "SELECT a FROM t WHERE a = 'abc'|INVALID_TEXT: invalid integer 'abc' (line 1, column 27)",
        "SELECT CASE WHEN g THEN a ELSE c END FROM t|TYPE_MISMATCH: cannot combine integer and varchar; cast one of them (line 1, column 32)",
        "SELECT a FROM t UNION SELECT c FROM t|TYPE_MISMATCH: cannot combine integer and varchar; cast one of them (line 1, column 23)",
        "SELECT a FROM t UNION SELECT a, b FROM t|SYNTAX_ERROR: column count mismatch in UNION (line 1, column 30)",
        "SELECT a FROM t WHERE a|TYPE_MISMATCH: WHERE clause must be a condition (line 1, column 23)",
        "SELECT a FROM t ORDER BY 3|SYNTAX_ERROR: ordinal out of range (line 1, column 26)",
        "SELECT row_number() OVER (ORDER BY a) FROM t|FEATURE_NOT_SUPPORTED: window functions are not supported yet (line 1, column 8)",
        "SELECT ARRAY[1]|FEATURE_NOT_SUPPORTED: arrays are not supported yet (line 1, column 8)",
        "SELECT a FROM t WHERE a IN (SELECT b, a FROM t)|TYPE_MISMATCH: values passed to IN operator must have compatible types (line 1, column 23)",
        "SELECT a FROM t WHERE a = ?|INVALID_PARAMETER: the statement has a parameter 1 but 0 values (line 1, column 27)",
        "SELECT cast(g AS date) FROM t|TYPE_MISMATCH: cannot cast boolean to date (line 1, column 8)",
        "SELECT a FROM t EXCEPT ALL SELECT a FROM n|FEATURE_NOT_SUPPORTED: EXCEPT ALL is not supported yet",
        "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT * FROM r|FEATURE_NOT_SUPPORTED: WITH RECURSIVE is not supported yet",
        "SELECT date '2020-13-01'|DATETIME_OUT_OF_RANGE: date/time field value out of range: \"2020-13-01\" (line 1, column 8)",
        "SELECT 1 FROM t a, t a|SYNTAX_ERROR: duplicate relation name 'a' in FROM clause (line 1, column 20)",
        "SELECT sum(count(*)) FROM t|GROUPING_ERROR: aggregate expressions cannot be nested (line 1, column 8)",
        "SELECT sum(c) FROM t|TYPE_MISMATCH: there is no sum(varchar); cast the arguments (line 1, column 8)",
      })
  void saysWhatIsWrongAndWhere(String sql, String message) {
    assertThat(failure(sql)).isEqualTo(message);
  }

  /** The condition of the plan's filter. */
  private String condition(String predicate, @Nullable Object... parameters) {
    String text = text("SELECT 1 FROM t WHERE " + predicate, parameters);
    int start = text.indexOf("Filter(condition=[") + "Filter(condition=[".length();
    return text.substring(start, text.indexOf("])\n", start))
        .replace(":VARCHAR CHARACTER SET \"UTF-8\"", "")
        .replace("_UTF-8", "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a = '5'|=($0, 5)",
        "b > 7|>($0, 7)",
        "a > 1.5|>($0, 1)",
        "a <= 1.5|<=($0, 1)",
        "a < 5000000000|<($0, 5000000000:BIGINT)",
        "e = 7|=($0, 7.00)",
        "e < 7.005|<=($0, 7.00)",
        "e = '7.5'|=($0, 7.50)",
        "e > -5|>($0, -5.00)",
        "d < timestamp '2020-01-01 00:00:00'|<($0, 2020-01-01)",
        "d < timestamp '2020-01-01 12:00:00'|<=($0, 2020-01-01)",
        "d >= timestamp '2020-01-01 12:00:00'|>($0, 2020-01-01)",
        "d = '2020-01-01'|=($0, CAST('2020-01-01'):DATE NOT NULL)",
        "'2020-01-01' < d|<(CAST('2020-01-01'):DATE NOT NULL, $0)",
        "a IN (1, 2, '3')|SEARCH($0, Sarg[1, 2, 3])",
        "s IN (1, 2)|SEARCH($0, Sarg[1:SMALLINT, 2:SMALLINT]:SMALLINT)",
        "a IN (1, 2.5)|OR(=($0, 1), =(CAST($0):DECIMAL(11, 1), 2.5))",
        "a < 1.5 OR a > 7.5|SEARCH($0, Sarg[(-∞..1], (7..+∞)])",
        "c = 'x'|=($0, 'x')",
        "c IN ('x', 'yy')|SEARCH($0, Sarg['x', 'yy'])",
        "tz > timestamp '2020-01-01 00:00:00'|>($0, CAST(2020-01-01 00:00:00:TIMESTAMP(6)):TIMESTAMP_WITH_LOCAL_TIME_ZONE(6) NOT NULL)",
        "c LIKE 'ab%'|LIKE($0, 'ab%')",
        "c = 'ä日'|=($0, 'ä日')",
        "s = 3|=($0, 3)",
        "s < 40000|<($0, 40000)",
      })
  void comparesColumnsAsTheyAre(String predicate, String condition) {
    assertThat(condition(predicate)).isEqualTo(condition);
  }

  @Test
  void parametersAreTypedByTheirPlace() {
    assertThat(condition("a = ? AND c = ?", 7L, "x")).isEqualTo("AND(=($0, 7), =($1, 'x'))");
    assertThat(condition("a = ?", "7")).isEqualTo("=($0, 7)");
    assertThat(condition("d = ?", LocalDate.of(2020, 1, 2))).isEqualTo("=($0, 2020-01-02)");
    assertThat(condition("e > ?", new BigDecimal("-1.5"))).isEqualTo(">($0, -1.50)");
    assertThat(text("SELECT a FROM t LIMIT ?", 5)).contains("fetch=[5]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT a, a, a + 1, count(*), c::int, CASE WHEN true THEN 1 END, 5 FROM t GROUP BY a, c|a, a, ?column?, count, c, case, ?column?",
        "SELECT t.*, n.x AS y FROM t JOIN n ON t.a = n.a|a, b, c, d, e, f, g, ts, tz, u, r, s, y",
        "SELECT a AS \"X\" FROM t UNION ALL SELECT x FROM n ORDER BY 1|X",
        "VALUES (1, 'a')|column1, column2",
        "WITH q(z) AS (SELECT a FROM t) SELECT * FROM q|z",
      })
  void namesColumnsAsPostgresDoes(String sql, String names) {
    assertThat(plan(sql).schema().fields())
        .extracting(Field::name)
        .containsExactly(names.split(", "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sum(a)|bigint",
        "sum(s)|bigint",
        "sum(b)|decimal(38,0)",
        "sum(e)|decimal(38,2)",
        "sum(r)|real",
        "sum(f)|double precision",
        "avg(a)|decimal(38,16)",
        "avg(e)|decimal(38,16)",
        "avg(r)|double precision",
        "count(*)|bigint",
        "min(d)|date",
        "max(tz)|timestamp with time zone",
        "sum(a) / 2|bigint",
        "sum(e * e)|decimal(38,4)",
        "max(e / e)|decimal(23,13)",
        "max(e + 1)|decimal(13,2)",
        "max(CASE WHEN g THEN 'a' ELSE 'bc' END)|varchar",
        "max(a::float4)|real",
        "max(a::float)|double precision",
        "max(c::char(3))|varchar",
        "max(c::timestamp)|timestamp",
      })
  void typesAreThoseOfPostgres(String expression, String type) {
    assertThat(plan("SELECT " + expression + " FROM t").schema().type(0)).hasToString(type);
  }

  @Test
  void existsBecomesASemiJoinWithItsOtherConditions() {
    assertThat(
            text(
                "SELECT a FROM n WHERE EXISTS (SELECT 1 FROM t WHERE t.a = n.a AND t.b <> n.x AND t.g)"))
        .contains("joinType=[semi]")
        .contains("<>(")
        .doesNotContain("Aggregate");
    assertThat(text("SELECT a FROM n WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.a = n.a)"))
        .contains("joinType=[anti]");
  }

  @Test
  void notInIsAnAntiJoinOnlyWithoutNulls() {
    assertThat(text("SELECT a FROM n WHERE x NOT IN (SELECT s_suppkey FROM supplier)"))
        .contains("joinType=[anti]");
    assertThat(text("SELECT a FROM n WHERE x NOT IN (SELECT a FROM t)"))
        .contains("joinType=[left_mark]");
    assertThat(text("SELECT a FROM n WHERE x IN (SELECT a FROM t)")).contains("joinType=[semi]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT a FROM n WHERE EXISTS (SELECT 1 FROM t WHERE t.a = n.a) OR x = 1",
        "SELECT a FROM n WHERE x IN (SELECT a FROM t WHERE t.c = n.c) OR x NOT IN (SELECT a FROM t)",
        "SELECT a, x IN (SELECT a FROM t), EXISTS (SELECT 1 FROM t WHERE t.a > n.a) FROM n",
        "SELECT (SELECT max(b) FROM t WHERE t.a = n.a), (SELECT count(*) FROM t WHERE t.a = n.a) FROM n",
        "SELECT a FROM n WHERE x > (SELECT avg(a) FROM t WHERE t.c = n.c)",
        "SELECT a FROM n WHERE x > ALL (SELECT a FROM t)",
        "SELECT a FROM n WHERE x = ANY (SELECT a FROM t WHERE t.c = n.c)",
        "SELECT a FROM n WHERE EXISTS (SELECT 1 FROM t WHERE t.a > n.a)",
        "SELECT a FROM n WHERE EXISTS (SELECT 1 FROM t)",
        "SELECT a FROM n WHERE EXISTS (SELECT 1 FROM t WHERE t.a = n.a AND EXISTS (SELECT 1 FROM n n2 WHERE n2.x = t.a AND n2.c = n.c))",
        "SELECT a FROM n WHERE (a, x) IN (SELECT a, a FROM t)",
        "SELECT * FROM n JOIN t ON n.a = t.a AND t.b IN (SELECT b FROM t)",
        "SELECT count(DISTINCT a), count(DISTINCT c), sum(b) FROM t",
        "SELECT a, grouping(a), sum(b) FROM t GROUP BY ROLLUP (a, c)",
        "SELECT a FROM t INTERSECT SELECT a FROM n",
        "SELECT a FROM t EXCEPT SELECT a FROM n",
        "SELECT a FROM t UNION SELECT a FROM n UNION SELECT x FROM n",
        "SELECT coalesce(a, 0), nullif(a, 1) FROM t FULL JOIN n USING (a)",
        "SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS v(i, s) WHERE s IS NULL",
        "SELECT 1 FROM t WHERE 1 = 2",
        "SELECT a FROM t ORDER BY b DESC LIMIT 3 OFFSET 2",
        "SELECT x.a FROM 'data/*.parquet' AS x JOIN t ON x.a = t.a",
        "SELECT * FROM t NATURAL JOIN n",
        "SELECT * FROM t WHERE a = 1 AND a = 2",
        "SELECT c || 'x', c LIKE 'a\\_%' FROM t",
        "SELECT CASE WHEN g THEN d ELSE '2020-01-01' END, coalesce(d, '2020-01-01') FROM t",
        "SELECT a FROM t UNION ALL SELECT '5'",
        "SELECT d + 1, d - d, ts + interval '1 day' FROM t",
        "SELECT DISTINCT c FROM t ORDER BY c NULLS FIRST",
        "SELECT sum(b) FILTER (WHERE a > 1) FROM t HAVING count(*) > 2",
        "SELECT a FROM n WHERE c = (SELECT c FROM t WHERE t.a = n.a)",
      })
  void plansWithoutCorrelation(String sql) {
    LogicalPlan plan = plan(sql);
    assertThat(PlanTree.hasSubQuery(plan.root())).isFalse();
    assertThat(PlanTree.hasCorrelation(plan.root())).isFalse();
    plan(sql, Settings.DEFAULTS.with(EngineSettings.OPTIMIZER, false));
  }

  @Test
  void aVolatileFunctionIsComputedOnce() {
    assertThat(
            text("SELECT r = r, r + 1 FROM (SELECT random() r FROM t) x").split("random\\(\\)", -1))
        .hasSize(2);
    assertThat(
            text("SELECT r FROM (SELECT random() r FROM t) x WHERE r < 0.5")
                .split("random\\(\\)", -1))
        .hasSize(2);
    assertThat(text("SELECT 1 FROM t WHERE random() BETWEEN 0.4 AND 0.6").split("random\\(\\)", -1))
        .hasSize(2);
    assertThat(text("SELECT random() r1, random() r2 FROM t").split("random\\(\\)", -1)).hasSize(3);
  }

  @Test
  void oneStatementPinsATableOnce() {
    plan("SELECT * FROM n a JOIN n b ON a.a = b.a WHERE EXISTS (SELECT 1 FROM n)");
    assertThat(tables.lookups.stream().filter(name -> name.equals("lake.main.n"))).hasSize(1);
  }

  @Test
  void leavesOfOnePlanCarryTheirTable() {
    plan("SELECT a FROM t WHERE b = 1")
        .root()
        .accept(
            new org.apache.calcite.rel.RelHomogeneousShuttle() {
              @Override
              public org.apache.calcite.rel.RelNode visit(TableScan scan) {
                assertThat(scan.getTable().unwrap(dev.varve.engine.source.SourceTable.class))
                    .isNotNull();
                return scan;
              }
            });
  }

  private LogicalPlan insert(String sql) {
    Statement.Insert insert = (Statement.Insert) frontEnd.parse(sql);
    return planner.planInsert(
        insert.source(),
        tables.schemaOf(insert.table().last()),
        insert.columns(),
        tables,
        List.of(),
        Settings.DEFAULTS);
  }

  @Test
  void insertCastsToTheTable() {
    LogicalPlan plan = insert("INSERT INTO n (c, x) VALUES ('a', '5'), ('bcd', '6')");
    assertThat(plan.schema()).isEqualTo(tables.schemaOf("n"));
    assertThat(plan.root().getRowType().getFieldNames()).containsExactly("a", "x", "c");
    assertThat(insert("INSERT INTO n SELECT b, b, a FROM t").root()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO n VALUES (1)|SYNTAX_ERROR: INSERT has 3 columns but 1 value (line 1, column 15)",
        "INSERT INTO n VALUES (1, 2)|SYNTAX_ERROR: INSERT has 3 columns but 2 values (line 1, column 15)",
        "INSERT INTO n (a) VALUES (1)|NOT_NULL_VIOLATION: column 'x' is NOT NULL and has no value (line 1, column 19)",
        "INSERT INTO n (x, c, aa) VALUES (1, 'a', 2)|UNDEFINED_COLUMN: Column 'aa' not found in the table; did you mean 'a'? (line 1, column 22)",
        "INSERT INTO n (x, c, x) VALUES (1, 'a', 2)|SYNTAX_ERROR: Column 'x' is named twice (line 1, column 22)",
        "INSERT INTO n (x, c) SELECT c, c FROM t|TYPE_MISMATCH: column 'x' is integer but its value is varchar; cast the value (line 1, column 22)",
        "INSERT INTO n (x, c) VALUES (true, 'a')|TYPE_MISMATCH: column 'x' is integer but its value is boolean; cast the value (line 1, column 22)",
      })
  void insertSaysWhatDoesNotFit(String sql, String message) {
    VarveException failure = catchThrowableOfType(VarveException.class, () -> insert(sql));
    assertThat(failure.code() + ": " + failure.describe()).isEqualTo(message);
  }
}
