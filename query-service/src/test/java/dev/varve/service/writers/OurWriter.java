package dev.varve.service.writers;

import dev.varve.service.client.ResultPage;
import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import dev.varve.service.home.RunningServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * A client of Varve's SQL: inserts, compacts, and asks for rows that were acknowledged to it
 * through one process of the other. Its engine and writer are in the process that it asks.
 */
final class OurWriter implements Runnable {
  private static final int RECENT = 20;

  private final String name;
  private final Random random;
  private final List<Home> homes;
  private final Journal journal;
  private final AtomicBoolean stop;
  private final List<Long> acknowledged = new ArrayList<>();
  private final List<String> wrong;
  private long nextId;

  /**
   * @param wrong takes up what it finds wrong
   */
  OurWriter(
      String name,
      long seed,
      Path directory,
      List<Home> homes,
      AtomicBoolean stop,
      List<String> wrong) {
    this.name = name;
    this.random = new Random(seed);
    this.homes = homes;
    this.journal = new Journal(directory.resolve(name + ".journal"));
    this.stop = stop;
    this.wrong = wrong;
    this.nextId = Long.parseLong(name) * 1_000_000_000L;
  }

  @Override
  public void run() {
    while (!stop.get()) {
      RunningServer server =
          RunningServer.find(homes.get(random.nextInt(homes.size()))).orElse(null);
      if (server == null) {
        sleep();
        continue;
      }
      try (VarveClient client = VarveClient.withToken(server.url(), server.token())) {
        for (int statements = 0; statements < 5 && !stop.get(); statements++) {
          switch (random.nextInt(12)) {
            case 0 -> compact(client);
            case 1, 2, 3 -> look(client);
            default -> insert(client);
          }
        }
      } catch (ServerError e) {
        // The process was killed: its writes are in the journal, another process is asked.
        sleep();
      }
    }
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(100);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void insert(VarveClient client) {
    List<Long> ids = new ArrayList<>();
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      ids.add(nextId++);
    }
    String table = random.nextInt(4) == 0 ? "u" : "t";
    String values =
        ids.stream()
            .map(id -> "(" + id + ", '" + name + "', " + id % 7 + ")")
            .collect(Collectors.joining(", "));
    make(
        client,
        journal.begin("insert", List.of(table), ids, List.of()),
        "INSERT INTO lake.w." + table + " VALUES " + values);
    if (table.equals("t")) {
      acknowledged.addAll(ids);
    }
  }

  private void compact(VarveClient client) {
    String table = random.nextBoolean() ? "u" : "t";
    make(
        client,
        journal.begin("compact", List.of(table), List.of(), List.of()),
        "CALL system.compact('lake.w." + table + "')");
  }

  /** Throws where the change was not acknowledged. */
  private void make(VarveClient client, int change, String sql) {
    try {
      rows(client, sql);
    } catch (ServerError e) {
      // What is not said to be refused may be done.
      boolean refused = e.code().equals("COMMIT_CONFLICT");
      journal.end(change, refused ? Journal.Outcome.REFUSED : Journal.Outcome.UNKNOWN);
      throw e;
    }
    journal.end(change, Journal.Outcome.ACKNOWLEDGED);
  }

  /** Nobody deletes our rows: what was acknowledged is seen by every process from then on. */
  private void look(VarveClient client) {
    List<Long> recent =
        acknowledged.subList(Math.max(0, acknowledged.size() - RECENT), acknowledged.size());
    if (recent.isEmpty()) {
      return;
    }
    String ids = recent.stream().map(String::valueOf).collect(Collectors.joining(", "));
    List<JsonNode> found = rows(client, "SELECT count(*) FROM lake.w.t WHERE id IN (" + ids + ")");
    if (found.getFirst().get(0).asLong() != recent.size()) {
      wrong.add(found + " of " + recent.size() + " acknowledged rows are seen: " + ids);
    }
  }

  private static List<JsonNode> rows(VarveClient client, String sql) {
    String id = client.submit(sql);
    List<JsonNode> rows = new ArrayList<>();
    long token = 0;
    while (token >= 0) {
      ResultPage page = client.fetch(id, token, 10_000, 1000);
      rows.addAll(page.rows());
      token = page.nextToken();
    }
    return rows;
  }
}
