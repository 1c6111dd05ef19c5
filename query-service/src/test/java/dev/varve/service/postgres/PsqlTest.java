package dev.varve.service.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.process.WholeService;
import dev.varve.service.query.QueryService;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees in psql. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PsqlTest {
  @TempDir static Path directory;
  private static WholeService service;
  private static String password;
  private static String psql;

  /** What psql printed, and how it ended. */
  private record Output(int code, String out, String errors) {}

  @BeforeAll
  static void start() throws Exception {
    Optional<Path> found =
        Stream.concat(
                Arrays.stream(System.getenv("PATH").split(":")).map(Path::of),
                Stream.of(Path.of("/usr/lib/postgresql/15/bin")))
            .map(folder -> folder.resolve("psql"))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(found.isPresent(), "there is no psql on this machine");
    psql = found.get().toString();
    service = new WholeService(directory.resolve("home"), ServiceConfiguration.DEFAULTS);
    password = service.createAdministrator();
    psql(
        "CREATE TABLE orders (id bigint NOT NULL, price decimal(12,2), placed timestamp with time"
            + " zone, note varchar)");
    psql(
        "INSERT INTO orders VALUES (1, 9.50, TIMESTAMP WITH TIME ZONE '2026-11-30 12:00:00Z', 'a')");
    psql("CREATE VIEW cheap AS SELECT id FROM orders WHERE price < 10");
    psql("CREATE SCHEMA shop");
    // The generator makes its texts at first use, for seconds that nothing interrupts.
    psql("SELECT count(*) FROM tpch.sf0_01.lineitem");
  }

  @AfterAll
  static void stop() {
    if (service != null) {
      service.close();
    }
  }

  private static ProcessBuilder builder(String... arguments) {
    List<String> command = new ArrayList<>(List.of(psql, "-X", "-w"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PGHOST", "127.0.0.1");
    builder
        .environment()
        .put("PGPORT", String.valueOf(service.part(PostgresEndpoint.class).port().orElseThrow()));
    builder.environment().put("PGUSER", "admin");
    builder.environment().put("PGPASSWORD", password);
    builder.environment().put("PGDATABASE", "lake");
    builder.environment().put("PGCLIENTENCODING", "UTF8");
    return builder;
  }

  private static Output psql(String... commands) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    for (String command : commands) {
      arguments.add("-c");
      arguments.add(command);
    }
    Process process = builder(arguments.toArray(String[]::new)).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Output(process.waitFor(), out, errors);
  }

  private static String shown(String command) throws IOException, InterruptedException {
    Output output = psql(command);
    assertThat(output.errors()).as(command).isEmpty();
    assertThat(output.code()).isZero();
    return output.out();
  }

  @Test
  void aQueryIsPrintedAsPostgresPrintsIt() throws Exception {
    assertThat(
            shown(
                "SELECT id, price, price > 9 AS dear, NULL AS nothing, CAST(1.5 AS double"
                    + " precision) AS d, CAST('\\x00ff' AS varchar) AS v FROM orders WHERE id = 1"))
        .isEqualTo(
            """
             id | price | dear | nothing |  d  |   v   \s
            ----+-------+------+---------+-----+--------
              1 |  9.50 | t    |         | 1.5 | \\x00ff
            (1 row)

            """);
    assertThat(shown("INSERT INTO orders (id) SELECT n_nationkey + 100 FROM tpch.sf0_01.nation"))
        .isEqualTo("INSERT 0 25\n");
  }

  @Test
  void databasesAndSchemas() throws Exception {
    assertThat(shown("\\l")).contains("lake", "tpch", "admin", "UTF8");
    assertThat(shown("\\dn")).contains("default", "shop").doesNotContain("pg_catalog");
  }

  @Test
  void tablesAndViews() throws Exception {
    assertThat(shown("\\dt")).contains("default", "orders", "table").doesNotContain("cheap");
    assertThat(shown("\\dv")).contains("cheap", "view").doesNotContain("orders");
    assertThat(shown("\\d")).contains("cheap", "orders");
    assertThat(psql("\\dt shop.*").errors()).contains("Did not find any relation");
    assertThat(shown("\\du")).contains("admin");
  }

  @Test
  void theColumnsOfATable() throws Exception {
    assertThat(shown("\\d orders"))
        .contains("Table \"default.orders\"")
        .containsPattern("id +\\| bigint +\\| +\\| not null")
        .containsPattern("price +\\| numeric\\(12,2\\) +\\|")
        .containsPattern("placed +\\| timestamp with time zone +\\|")
        .containsPattern("note +\\| character varying +\\|");
    assertThat(shown("\\d cheap")).contains("View \"default.cheap\"").contains("bigint");
    assertThat(shown("\\d+ cheap")).contains("SELECT id FROM orders WHERE price < 10");
    assertThat(shown("\\d+ orders")).contains("numeric(12,2)");
  }

  @Test
  void anErrorPointsAtItsPlace() throws Exception {
    Output output = psql("SELECT id,\n  prize FROM orders");
    assertThat(output.code()).isEqualTo(1);
    assertThat(output.errors())
        .contains("ERROR:")
        .contains("LINE 2:   prize FROM orders")
        .contains("\n          ^")
        .contains("HINT:");
  }

  @Test
  void statementsOneAfterTheOther() throws Exception {
    Output output =
        psql("SELECT 1 AS a; SELECT 'x;y' AS b; -- a comment;\nSELECT 3 AS c;", "SELECT 4 AS d");
    assertThat(output.out()).contains(" a ", "x;y", " c ", " d ");
    Output failed = psql("SELECT 1 AS a; SELECT nothing; SELECT 3 AS c");
    assertThat(failed.out()).contains(" a ").doesNotContain(" c ");
  }

  @Test
  void controlCEndsTheQuery() throws Exception {
    Process process = builder("-c", "SELECT count(*) FROM tpch.sf10.lineitem").start();
    QueryService queries = service.part(QueryService.class);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (queries.runningCount() == 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(10);
    }
    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
    assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("canceling statement due to user request");
    assertThat(process.waitFor()).isNotZero();
    while (queries.runningCount() > 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(10);
    }
  }
}
