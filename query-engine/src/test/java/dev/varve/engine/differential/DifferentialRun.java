package dev.varve.engine.differential;

import dev.varve.engine.differential.Differential.Different;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of random tables, each with random queries, from one seed. What differs is printed with
 * the properties that replay it, its smallest form and PostgreSQL's verdict. Confined to one
 * thread.
 */
public final class DifferentialRun implements AutoCloseable {
  private static final int QUERIES_PER_ROUND = 25;
  private static final long SHRINK_MILLIS = Long.getLong("varve.differential.shrink", 20_000);
  private static final int MOST_FAILURES = Integer.getInteger("varve.differential.failures", 10);

  /** Varve's engines over the tables of one round, by the name of their configuration. */
  public interface Engines extends AutoCloseable {
    Map<String, Function<String, Answer>> byConfiguration();

    @Override
    void close();
  }

  /** Opens the engines of a round. */
  public interface Opener {
    Engines open(int round, List<TestTable> tables);
  }

  private final long seed;
  private final int rounds;
  private final Opener opener;
  private final Supplier<PostgresArbiter> postgres;
  private final List<String> failures = new ArrayList<>();
  private final Map<String, Integer> notBuilt = new TreeMap<>();
  private final Map<String, Integer> peerRefuses = new TreeMap<>();
  private int same;
  private int skipped;

  /** Started for the first difference. */
  private @Nullable PostgresArbiter arbiter;

  /** A run of at least so many queries. */
  public DifferentialRun(
      long seed, int queries, Opener opener, Supplier<PostgresArbiter> postgres) {
    this.seed = seed;
    this.rounds = (queries + QUERIES_PER_ROUND - 1) / QUERIES_PER_ROUND;
    this.opener = opener;
    this.postgres = postgres;
  }

  /** All rounds, or the one that {@code -Dvarve.differential.round} names. */
  public void run(Path folder) throws SQLException, IOException {
    int only = Integer.getInteger("varve.differential.round", -1);
    int first = Math.max(only, 0);
    int last = only < 0 ? rounds - 1 : only;
    for (int round = first; round <= last && failures.size() < MOST_FAILURES; round++) {
      Path files = folder.resolve("round" + round);
      run(round, files);
      delete(files);
    }
    System.out.println(summary());
  }

  public List<String> failures() {
    return List.copyOf(failures);
  }

  /** Queries to which all gave the same rows. */
  public int same() {
    return same;
  }

  /** Queries that Varve or DuckDB refused. */
  public int refused() {
    return sum(notBuilt) + sum(peerRefuses);
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(n -> n).sum();
  }

  private String summary() {
    return "differential: seed %d, %d queries: %d the same, %d different, %d not built %s, %d refused by DuckDB %s, %d of too many rows"
        .formatted(
            seed,
            same + failures.size() + refused(),
            same,
            failures.size(),
            sum(notBuilt),
            notBuilt,
            sum(peerRefuses),
            peerRefuses,
            skipped);
  }

  private void run(int round, Path folder) throws SQLException {
    Random random = new Random(seed * 1_000_003 + round);
    try (Connection duckdb = DuckDbViews.open()) {
      List<TestTable> tables = new RandomTables(random, new TableFiles(duckdb)).next(folder);
      for (TestTable table : tables) {
        DuckDbViews.create(duckdb, table);
      }
      try (Engines engines = opener.open(round, tables)) {
        Differential differential =
            new Differential(engines.byConfiguration(), sql -> Answer.of(duckdb, sql));
        RandomQueries queries = new RandomQueries(random, tables);
        for (int i = 0; i < QUERIES_PER_ROUND; i++) {
          compare(differential, queries.next(), round, i, tables);
        }
      }
    }
  }

  private void compare(
      Differential differential, Query query, int round, int number, List<TestTable> tables) {
    switch (differential.compare(Statement.of(query))) {
      case Differential.Same ignored -> same++;
      case Differential.Skipped ignored -> skipped++;
      case Differential.NotBuilt refusal ->
          notBuilt.merge(shape(refusal.message()), 1, Integer::sum);
      case Differential.PeerRefuses refusal ->
          peerRefuses.merge(shape(refusal.message()), 1, Integer::sum);
      case Different different -> {
        Query small =
            new Shrinker(q -> differential.shows(different, Statement.of(q)), SHRINK_MILLIS)
                .shrink(query);
        String place =
            "query %d of -Dvarve.differential.seed=%d -Dvarve.differential.round=%d"
                .formatted(number, seed, round);
        failures.add(place + report(differential, different, query, small, tables));
        System.out.println(failures.getLast() + "\n");
      }
    }
  }

  private String report(
      Differential differential,
      Different difference,
      Query query,
      Query small,
      List<TestTable> tables) {
    Statement statement = Statement.of(small);
    String what =
        differential.compare(statement) instanceof Different d
            ? d.configuration() + ": " + d.what()
            : difference.what();
    return """
         in %s: %s
          %s
        smallest: %s
          %s
        PostgreSQL %s"""
        .formatted(
            difference.configuration(),
            difference.what(),
            query.sql(),
            what,
            small.sql(),
            verdict(differential, difference.configuration(), statement, tables));
  }

  private String verdict(
      Differential differential,
      String configuration,
      Statement statement,
      List<TestTable> tables) {
    if (arbiter == null) {
      arbiter = postgres.get();
    }
    return arbiter.judge(
        tables,
        statement,
        differential.engine(configuration).apply(statement.sql()),
        differential.peer(statement.sql()));
  }

  /** A message without the names and values in it. */
  private static String shape(String message) {
    String line = message.lines().findFirst().orElse("");
    return line.replaceAll("[\"'`][^\"'`]*[\"'`]", "?").replaceAll("\\d+", "#").strip();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  @Override
  public void close() {
    if (arbiter != null) {
      arbiter.close();
    }
  }
}
