package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code kill -9} at random moments during fifty inserts: what was acknowledged is there once, what
 * was not is there wholly or not at all, and the catalog opens again every time.
 */
@Timeout(600)
class KillTest {
  private static final int INSERTS = 50;
  private static final int ROWS = 200;
  private static final int KILLS = 6;

  @TempDir Path directory;

  @Test
  void acknowledgedInsertsSurviveAndNoneIsThereInPart() throws Exception {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("KillTest: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    Home home = new Home(directory.resolve("home"));
    Set<Integer> acknowledged = new TreeSet<>();
    int insert = 0;
    int kills = 0;

    ChildService service = ChildService.start(directory, home);
    try {
      try (VarveClient client = service.client()) {
        Rows.of(client, "CREATE SCHEMA IF NOT EXISTS lake.crash");
        Rows.of(client, "CREATE TABLE lake.crash.t (id integer, n integer) ORDERED BY (n)");
      }
      while (insert < INSERTS) {
        boolean killThisTime = kills < KILLS;
        // Of 50 inserts, 6 kills: one after some 7 to 9, at any moment of it.
        int until = Math.min(INSERTS, insert + 7 + random.nextInt(3));
        long delayMillis = random.nextLong(250);
        Thread killer = null;
        try (VarveClient client = service.client()) {
          while (insert < until) {
            if (killThisTime && insert == until - 1) {
              ChildService victim = service;
              killer =
                  Thread.ofPlatform()
                      .start(
                          () -> {
                            try {
                              Thread.sleep(delayMillis);
                              victim.kill();
                            } catch (InterruptedException e) {
                              throw new IllegalStateException(e);
                            }
                          });
            }
            int id = insert++;
            Rows.of(client, insertStatement(id));
            acknowledged.add(id);
          }
        } catch (ServerError e) {
          assertThat(killThisTime).as("insert %d failed: %s", insert - 1, e.getMessage()).isTrue();
          assertThat(e.code()).isEqualTo(ServerError.UNREACHABLE);
        }
        if (killer != null) {
          killer.join();
          kills++;
          service = ChildService.start(directory, home);
          check(service, acknowledged, insert);
        }
      }
      assertThat(kills).isEqualTo(KILLS);
      check(service, acknowledged, insert);
    } finally {
      service.close();
    }
  }

  private static void check(ChildService service, Set<Integer> acknowledged, int tried) {
    Map<Integer, Long> rows = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    try (VarveClient client = service.client()) {
      for (JsonNode row :
          Rows.of(
              client,
              "SELECT id, count(*), count(DISTINCT n) FROM lake.crash.t GROUP BY id ORDER BY id")) {
        int id = row.get(0).asInt();
        rows.put(id, row.get(1).asLong());
        if (row.get(1).asLong() != ROWS || row.get(2).asLong() != ROWS || id >= tried) {
          wrong.add("insert " + id + " has " + row.get(1) + " rows, " + row.get(2) + " distinct");
        }
      }
    }
    for (int id : acknowledged) {
      if (!rows.containsKey(id)) {
        wrong.add("acknowledged insert " + id + " is lost");
      }
    }
    assertThat(wrong).isEmpty();
  }

  private static String insertStatement(int id) {
    StringBuilder sql = new StringBuilder("INSERT INTO lake.crash.t VALUES ");
    for (int n = 0; n < ROWS; n++) {
      sql.append(n == 0 ? "" : ", ").append('(').append(id).append(", ").append(n).append(')');
    }
    return sql.toString();
  }
}
