package dev.varve.engine.logical;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.varve.engine.config.Settings;
import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.function.VarveOperatorTable;
import dev.varve.engine.physical.EngineRexExecutor;
import dev.varve.engine.physical.RexTranslator;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.sql.SchemaResolver;
import dev.varve.engine.sql.SqlFrontEnd;
import dev.varve.engine.sql.Statement;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statements as programs write them: their planning ends, in time and when it is told to. */
class LongStatementsTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int SHORT = 500;
  private static final int LONG = 4_000;

  /** Linear is 8, quadratic 64; half of that leaves room for a busy machine beside the 25 seen. */
  private static final double MOST = 32;

  private final LogicalPlanner planner =
      new LogicalPlanner(
          VarveOperatorTable.standard(),
          new EngineRexExecutor(new RexTranslator(FunctionRegistry.standard(), List.of())));

  enum Form {
    EQUALITIES("o_orderkey = %d", " OR "),
    INEQUALITIES("o_orderkey <> %d", " AND "),
    RANGES("(o_orderkey > %1$d0 AND o_orderkey < %1$d5)", " OR "),
    PAIRS("(o_orderkey = %1$d AND o_custkey = %1$d)", " OR "),
    TEXTS("o_comment = 'c%d'", " OR "),
    SUMS("o_orderkey", " + ");

    private final String term;
    private final String connective;

    Form(String term, String connective) {
      this.term = term;
      this.connective = connective;
    }

    String sql(int terms) {
      String all =
          IntStream.range(0, terms)
              .mapToObj(i -> term.formatted(i))
              .collect(Collectors.joining(connective));
      return this == SUMS
          ? "SELECT " + all + " FROM orders"
          : "SELECT count(*) FROM orders WHERE " + all;
    }
  }

  @ParameterizedTest
  @EnumSource
  void planningGrowsAboutAsTheText(Form form) throws Exception {
    long few = Long.MAX_VALUE;
    long many = Long.MAX_VALUE;
    for (int round = 0; round < 3; round++) {
      few = Math.min(few, nanos(form.sql(SHORT)));
      many = Math.min(many, nanos(form.sql(LONG)));
    }
    System.out.printf(
        "%s: %d terms %.1f ms, %d terms %.1f ms%n", form, SHORT, few / 1e6, LONG, many / 1e6);
    assertThat((double) many / few).isLessThan(MOST);
  }

  @Test
  void longInListsToo() throws Exception {
    long few = Long.MAX_VALUE;
    long many = Long.MAX_VALUE;
    for (int round = 0; round < 3; round++) {
      few = Math.min(few, nanos(inList(1_250)));
      many = Math.min(many, nanos(inList(10_000)));
    }
    assertThat((double) many / few).isLessThan(MOST);
  }

  private static String inList(int values) {
    return IntStream.range(0, values)
        .mapToObj(Integer::toString)
        .collect(
            Collectors.joining(", ", "SELECT count(*) FROM orders WHERE o_orderkey IN (", ")"));
  }

  /** On a stack as deep as the engine gives to planning. */
  private <T> T deep(Callable<T> work) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    new Thread(null, task, "planning", 64L << 20).start();
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  private long nanos(String sql) throws Exception {
    return deep(
        () -> {
          long start = THREADS.getCurrentThreadCpuTime();
          plan(sql, TestTables.tpch());
          return THREADS.getCurrentThreadCpuTime() - start;
        });
  }

  private LogicalPlan plan(String sql, SchemaResolver tables) {
    Statement.Query query = (Statement.Query) new SqlFrontEnd().parse(sql);
    return planner.plan(query.query(), tables, List.of(), Settings.DEFAULTS);
  }

  /** Ends the statement at the nth time that planning looks. */
  private static final class Ended implements SchemaResolver {
    private final SchemaResolver tables = TestTables.tpch();
    private final int after;
    private int looks;

    Ended(int after) {
      this.after = after;
    }

    @Override
    public void checkpoint() {
      if (++looks > after) {
        throw new VarveException(ErrorCode.QUERY_CANCELED, "ended");
      }
    }

    @Override
    public String catalog() {
      return tables.catalog();
    }

    @Override
    public String schema() {
      return tables.schema();
    }

    @Override
    public Optional<SourceTable> table(String catalog, String schema, String table) {
      return tables.table(catalog, schema, table);
    }

    @Override
    public SourceTable files(String pattern) {
      return tables.files(pattern);
    }

    @Override
    public List<String> catalogs() {
      return tables.catalogs();
    }

    @Override
    public List<String> schemas(String catalog) {
      return tables.schemas(catalog);
    }

    @Override
    public List<String> tables(String catalog, String schema) {
      return tables.tables(catalog, schema);
    }
  }

  @Test
  void planningEndsWhereverItIs() throws Exception {
    String sql = LogicalPlannerTest.tpch(8);
    Ended never = new Ended(Integer.MAX_VALUE);
    deep(() -> plan(sql, never));
    assertThat(never.looks).isGreaterThan(300);
    for (int after = 0; after < never.looks; after += never.looks / 40) {
      Ended ended = new Ended(after);
      VarveException failure =
          catchThrowableOfType(VarveException.class, () -> deep(() -> plan(sql, ended)));
      assertThat(failure).as("after " + after + " looks").isNotNull();
      assertThat(failure.code()).isEqualTo(ErrorCode.QUERY_CANCELED);
    }
  }

  @Test
  void planningLooksOftenInLongStatements() throws Exception {
    Ended never = new Ended(Integer.MAX_VALUE);
    deep(() -> plan(Form.PAIRS.sql(1_000), never));
    assertThat(never.looks).isGreaterThan(5_000);
  }
}
