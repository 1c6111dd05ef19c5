package dev.varve.engine.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.EngineBuilder;
import dev.varve.engine.PreparedStatement;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.config.Settings;
import dev.varve.engine.connector.MemoryTable;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.CoreGate;
import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Kept plans answer as new ones would, whatever has changed since, and for whoever asks. */
class PlanCacheTest {
  private static final Schema NUMBERS =
      Schema.of(Field.of("id", DataType.INTEGER), Field.of("name", DataType.VARCHAR));

  private final Map<String, SourceTable> tables = new ConcurrentHashMap<>();
  private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
  private final MovingClock clock = new MovingClock();
  private final QueryEngine engine = engine();

  private QueryEngine engine() {
    AccessControl access =
        (principal, accesses) -> {
          for (AccessControl.Access each : accesses) {
            if (principal.name().equals("guest") && forbidden.contains(each.object().table())) {
              throw new VarveException(
                  ErrorCode.INSUFFICIENT_PRIVILEGE, "guest may not read " + each.object());
            }
          }
        };
    return new EngineBuilder(
            new SuiteEngine.NoSinks(), access, MemoryPools.greedy(1L << 28), CoreGate.open())
        .connector("one", new Tables("main"))
        .connector("two", new Tables("other"))
        .startIn("one", "main")
        .settings(Settings.DEFAULTS)
        .clock(clock)
        .build();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /** Tables of one schema, each known as {@code schema.table}. */
  private final class Tables implements Connector {
    private final String only;

    Tables(String only) {
      this.only = only;
    }

    @Override
    public List<String> schemas() {
      return List.of(only);
    }

    @Override
    public List<String> tables(String schema) {
      return tables.keySet().stream()
          .filter(name -> name.startsWith(schema + "."))
          .map(name -> name.substring(schema.length() + 1))
          .sorted()
          .toList();
    }

    @Override
    public Optional<SourceTable> table(String schema, String name) {
      return schema.equals(only)
          ? Optional.ofNullable(tables.get(schema + "." + name))
          : Optional.empty();
    }
  }

  private static final class MovingClock extends Clock {
    private volatile Instant now = Instant.parse("2026-03-01T10:00:00Z");

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(java.time.ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  private void create(String name, Schema schema, Object... values) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < values.length; i += schema.size()) {
      rows.add(new ArrayList<>(Arrays.asList(values).subList(i, i + schema.size())));
    }
    tables.put(name, new MemoryTable(schema, () -> rows));
  }

  private Session session() {
    return engine.openSession(new Principal("owner", Set.of()));
  }

  private static List<List<String>> rows(Session session, String sql, Object... parameters) {
    try (QueryHandle query = session.submit(sql, Arrays.asList(parameters))) {
      return Rows.of(query);
    }
  }

  private static void run(Session session, String sql) {
    try (QueryHandle query = session.submit(sql)) {
      while (query.nextBatch() != null) {
        // Only its effect matters.
      }
    }
  }

  private long hits() {
    return Long.parseLong(
        rows(session(), "SELECT hits FROM system.plan_cache").getFirst().getFirst());
  }

  /** The hits that an action has, beside those of asking for them. */
  private long hitsOf(Runnable action) {
    hits();
    long before = hits();
    action.run();
    return hits() - before - 1;
  }

  @Test
  void theSameTextInOtherLayoutIsAHit() {
    create("main.t", NUMBERS, 1, "a", 2, "b");
    Session session = session();
    assertThat(rows(session, "SELECT id FROM t WHERE name = 'a'")).containsExactly(List.of("1"));
    assertThat(
            hitsOf(
                () ->
                    assertThat(
                            rows(
                                session,
                                "  select ID\n from T -- the table\n /* and */ where NAME = 'a' ;"))
                        .containsExactly(List.of("1"))))
        .isEqualTo(1);
  }

  @Test
  void quotedTextIsNotFolded() {
    create("main.t", NUMBERS, 1, "a", 2, "A");
    Session session = session();
    assertThat(rows(session, "SELECT id FROM t WHERE name = 'a'")).containsExactly(List.of("1"));
    assertThat(rows(session, "SELECT id FROM t WHERE name = 'A'")).containsExactly(List.of("2"));
    assertThat(rows(session, "SELECT 1 // + 1\n + 1")).containsExactly(List.of("2"));
    assertThat(rows(session, "SELECT 1 // + 1 + 1")).containsExactly(List.of("1"));
  }

  @Test
  void rowsAreThoseOfNow() {
    create("main.t", NUMBERS, 1, "a");
    Session session = session();
    assertThat(rows(session, "SELECT count(*) FROM t")).containsExactly(List.of("1"));
    create("main.t", NUMBERS, 1, "a", 2, "b", 3, "c");
    assertThat(
            hitsOf(
                () ->
                    assertThat(rows(session, "SELECT count(*) FROM t"))
                        .containsExactly(List.of("3"))))
        .isEqualTo(1);
  }

  @Test
  void changedColumnsAreSeen() {
    create("main.t", NUMBERS, 1, "a");
    Session session = session();
    assertThat(rows(session, "SELECT * FROM t")).containsExactly(List.of("1", "a"));
    create(
        "main.t",
        Schema.of(
            Field.of("id", DataType.BIGINT),
            Field.of("name", DataType.VARCHAR),
            Field.of("more", DataType.BOOLEAN)),
        5_000_000_000L,
        "a",
        true);
    assertThat(rows(session, "SELECT * FROM t"))
        .containsExactly(List.of("5000000000", "a", "true"));
    tables.remove("main.t");
    assertThatThrownBy(() -> rows(session, "SELECT * FROM t"))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNDEFINED_TABLE));
    create("main.t", NUMBERS, 7, "z");
    assertThat(rows(session, "SELECT * FROM t")).containsExactly(List.of("7", "z"));
  }

  @Test
  void anotherUserIsRefusedThoughThePlanIsKept() {
    create("main.secret", NUMBERS, 1, "a");
    forbidden.add("secret");
    assertThat(rows(session(), "SELECT name FROM secret")).containsExactly(List.of("a"));
    Session guest = engine.openSession(new Principal("guest", Set.of()));
    assertThatThrownBy(() -> rows(guest, "SELECT name FROM secret"))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INSUFFICIENT_PRIVILEGE));
    PreparedStatement prepared = session().prepare("SELECT name FROM secret WHERE id = $1");
    assertThat(prepared.parameterTypes()).containsExactly(DataType.INTEGER);
    assertThatThrownBy(() -> guest.prepare("SELECT name FROM secret WHERE id = $1"))
        .isInstanceOf(VarveException.class);
    forbidden.clear();
    assertThat(rows(guest, "SELECT name FROM secret")).containsExactly(List.of("a"));
    forbidden.add("secret");
    assertThatThrownBy(() -> rows(guest, "SELECT name FROM secret"))
        .isInstanceOf(VarveException.class);
  }

  @Test
  void theSearchPathIsPartOfTheStatement() {
    create("main.t", NUMBERS, 1, "one");
    create("other.t", NUMBERS, 2, "two");
    Session session = session();
    assertThat(rows(session, "SELECT name FROM t")).containsExactly(List.of("one"));
    run(session, "USE two.other");
    assertThat(rows(session, "SELECT name FROM t")).containsExactly(List.of("two"));
    assertThat(rows(session(), "SELECT name FROM t")).containsExactly(List.of("one"));
  }

  @Test
  void stableFunctionsAreThoseOfTheExecution() {
    create("main.t", Schema.of(Field.of("day", DataType.DATE)), LocalDate.of(2026, 3, 1));
    Session session = session();
    String sql = "SELECT count(*), current_user FROM t WHERE day = current_date GROUP BY 2";
    assertThat(rows(session, sql)).containsExactly(List.of("1", "owner"));
    Session other = engine.openSession(new Principal("other", Set.of()));
    assertThat(hitsOf(() -> assertThat(rows(other, sql)).containsExactly(List.of("1", "other"))))
        .isEqualTo(1);
    clock.now = clock.now.plusSeconds(86_400);
    assertThat(rows(session, sql)).isEmpty();
    String now = "SELECT now()";
    List<List<String>> first = rows(session, now);
    clock.now = clock.now.plusSeconds(1);
    assertThat(rows(session, now)).isNotEqualTo(first);
    assertThat(rows(session, "SELECT random() FROM t"))
        .isNotEqualTo(rows(session, "SELECT random() FROM t"));
  }

  @Test
  void aTimeZoneMakesAnotherPlan() {
    Session session = session();
    String sql = "SELECT CAST(CAST('2026-01-01 00:00:00' AS timestamptz) AS varchar)";
    List<List<String>> utc = rows(session, sql);
    run(session, "SET timezone = 'Asia/Tokyo'");
    List<List<String>> tokyo = rows(session, sql);
    run(session, "SET optimizer.plan_cache = off");
    assertThat(rows(session, sql)).isEqualTo(tokyo);
    assertThat(rows(session(), sql)).isEqualTo(utc);
  }

  @Test
  void theSettingSwitchesItOff() {
    create("main.t", NUMBERS, 1, "a");
    Session session = session();
    run(session, "SET optimizer.plan_cache = off");
    assertThat(
            hitsOf(
                () -> {
                  rows(session, "SELECT id FROM t");
                  rows(session, "SELECT id FROM t");
                }))
        .isZero();
  }

  @Test
  void explainIsNotTakenForTheQuery() {
    create("main.t", NUMBERS, 1, "a");
    Session session = session();
    assertThat(rows(session, "EXPLAIN SELECT id FROM t")).isNotEmpty();
    assertThat(rows(session, "EXPLAIN SELECT id FROM t").toString()).contains("Exec");
    assertThat(rows(session, "SELECT id FROM t")).containsExactly(List.of("1"));
  }

  @Test
  void parametersHaveTheTypesOfTheirSurroundings() {
    create("main.t", NUMBERS, 1, "a", 2, "b", 3, null);
    Session session = session();
    PreparedStatement byId = session.prepare("SELECT name FROM t WHERE id = $1 OR id = $2 + 1");
    assertThat(byId.parameterTypes()).containsExactly(DataType.INTEGER, DataType.INTEGER);
    assertThat(byId.schema().orElseThrow().field(0).name()).isEqualTo("name");
    assertThat(rows(byId, 1, 1)).containsExactlyInAnyOrder(List.of("a"), List.of("b"));
    assertThat(rows(byId, 2L, "2")).hasSize(2);
    assertThat(rows(byId, null, null)).isEmpty();
    assertThatThrownBy(() -> rows(byId, "x", 1))
        .hasMessageContaining("parameter 1")
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PARAMETER));
    assertThatThrownBy(() -> rows(byId, 1)).hasMessageContaining("2 parameters");
    assertThatThrownBy(() -> session.prepare("SELECT ?")).isInstanceOf(VarveException.class);
    assertThatThrownBy(() -> session.prepare("SELECT id FROM t WHERE id = ? OR id = $1"))
        .hasMessageContaining("$1");
  }

  @Test
  void aNumberIsNeverRoundedToTheTypeOfTheColumn() {
    create(
        "main.prices",
        Schema.of(Field.of("p", DataType.decimal(10, 2)), Field.of("n", DataType.INTEGER)),
        new BigDecimal("1.00"),
        1,
        new BigDecimal("1.01"),
        2,
        new BigDecimal("1.02"),
        3);
    Session session = session();
    for (Object value : List.of(new BigDecimal("1.005"), "1.005")) {
      for (int round = 0; round < 2; round++) {
        assertThat(rows(session, "SELECT p FROM prices WHERE p = ?", value)).isEmpty();
        assertThat(rows(session, "SELECT n FROM prices WHERE p > ?", value))
            .containsExactlyInAnyOrder(List.of("2"), List.of("3"));
      }
    }
    assertThat(rows(session, "SELECT n FROM prices WHERE p = ?", new BigDecimal("1.010")))
        .containsExactly(List.of("2"));
    PreparedStatement prepared = session.prepare("SELECT n FROM prices WHERE p > ?");
    assertThat(rows(prepared, new BigDecimal("1.0100"))).containsExactly(List.of("3"));
    assertThat(rows(prepared, 1)).hasSize(2);
    for (Object value : List.of(new BigDecimal("1.005"), "1.005", 1.005)) {
      assertThatThrownBy(() -> rows(prepared, value))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PARAMETER))
          .hasMessageContaining("cannot hold 1.005");
    }
    PreparedStatement whole = session.prepare("SELECT p FROM prices WHERE n > ?");
    assertThatThrownBy(() -> rows(whole, 2.5)).hasMessageContaining("cannot hold 2.5");
    PreparedStatement cast =
        session.prepare("SELECT n FROM prices WHERE p > CAST(? AS decimal(9, 4))");
    assertThat(rows(cast, new BigDecimal("1.005"))).hasSize(2);
  }

  @Test
  void limitsAreParametersToo() {
    create("main.t", NUMBERS, 1, "a", 2, "b", 3, "c");
    PreparedStatement page = session().prepare("SELECT id FROM t ORDER BY id LIMIT ? OFFSET ?");
    assertThat(rows(page, 1, 1)).containsExactly(List.of("2"));
    assertThat(rows(page, 2, 0)).containsExactly(List.of("1"), List.of("2"));
    assertThatThrownBy(() -> rows(page, -1, 0)).hasMessageContaining("negative");
  }

  @Test
  void valuesOfOneShotStatementsReadAsLiterals() {
    create("main.t", NUMBERS, 1, "a", 2, "b");
    Session session = session();
    for (int round = 0; round < 2; round++) {
      assertThat(rows(session, "SELECT ?", 5)).containsExactly(List.of("5"));
      assertThat(
              rows(session, "SELECT id FROM t WHERE id / ? > 0.6", new java.math.BigDecimal("1.5")))
          .containsExactlyInAnyOrder(List.of("1"), List.of("2"));
      assertThat(rows(session, "SELECT id FROM t WHERE id / ? > 0.6", 2))
          .containsExactly(List.of("2"));
      assertThat(rows(session, "SELECT name FROM t WHERE id = ?", "2"))
          .containsExactly(List.of("b"));
    }
  }

  @Test
  void aPreparedStatementSeesItsTableChange() {
    create("main.t", NUMBERS, 1, "a");
    Session session = session();
    PreparedStatement prepared = session.prepare("SELECT * FROM t WHERE id = ?");
    assertThat(rows(prepared, 1)).containsExactly(List.of("1", "a"));
    create("main.t", Schema.of(Field.of("id", DataType.BIGINT)), 5_000_000_000L);
    assertThat(rows(prepared, 5_000_000_000L)).containsExactly(List.of("5000000000"));
  }

  private static List<List<String>> rows(PreparedStatement statement, Object... values) {
    try (QueryHandle query = statement.execute(Arrays.asList(values))) {
      return Rows.of(query);
    }
  }

  @Test
  void manyAtOnceGetTheirOwnAnswers() throws InterruptedException, ExecutionException {
    create("main.t", NUMBERS, 1, "a", 2, "b", 3, "c", 4, "d");
    PreparedStatement prepared = session().prepare("SELECT name FROM t WHERE id = ?");
    try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
      List<Future<List<List<String>>>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int id = 1 + i % 4;
        answers.add(pool.submit(() -> rows(prepared, id)));
      }
      for (int i = 0; i < answers.size(); i++) {
        assertThat(answers.get(i).get())
            .containsExactly(List.of(String.valueOf((char) ('a' + i % 4))));
      }
    }
  }
}
