package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.service.home.Home;
import dev.varve.service.writers.EightWriters;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four writers of ours and four of Iceberg's Java clients commit to one table and to several at
 * once, through two processes over one PostgreSQL, while processes of both kinds are killed: see
 * {@link EightWriters}. {@code -Dvarve.writers.seconds=300} runs it as long as the claim says.
 */
@Timeout(900)
class EightWritersTest {
  private static final int SECONDS = Integer.getInteger("varve.writers.seconds", 20);

  @TempDir Path directory;

  @Test
  void everyAcknowledgedCommitIsThereOnce() throws Exception {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("EightWritersTest: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start()) {
      List<Home> homes = new ArrayList<>();
      for (String name : List.of("one", "two")) {
        Home home = new Home(directory.resolve(name)).create();
        Files.writeString(
            home.configuration(),
            "warehouse = file://"
                + directory.resolve("warehouse")
                + "\nflight.port = off\ndatabase.url = "
                + postgres.getJdbcUrl("postgres", "postgres")
                + "\ndatabase.user = postgres\n");
        homes.add(home);
      }
      Files.createDirectories(directory.resolve("warehouse"));
      List<ChildService> services = new ArrayList<>();
      for (Home home : homes) {
        services.add(ChildService.start(directory, home));
      }
      try (EightWriters writers = new EightWriters(directory.resolve("journals"), homes, seed)) {
        try (var client = services.getFirst().client()) {
          Rows.of(client, "CREATE SCHEMA lake.w");
          for (String table : EightWriters.TABLES) {
            Rows.of(
                client,
                "CREATE TABLE lake.w."
                    + table
                    + " (id bigint, writer varchar, n integer)"
                    + (table.equals("t") ? " ORDERED BY (id)" : ""));
          }
        }
        writers.start();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int kills = 0;
        while (System.nanoTime() < end || kills < 3) {
          Thread.sleep(1_000 + random.nextInt(2_500));
          if (kills++ % 2 == 0) {
            int victim = random.nextInt(services.size());
            services.get(victim).kill();
            Thread.sleep(random.nextInt(500));
            services.set(victim, ChildService.start(directory, homes.get(victim)));
          } else {
            writers.killOne(random);
          }
        }
        writers.stop();
        System.out.println("EightWritersTest: " + SECONDS + " s, " + kills + " kills");
        try (LakeCatalog lake =
            LakeCatalog.open(
                postgres.getDatabase("postgres", "postgres", Map.of()),
                new CatalogSettings("lake", "file://" + directory.resolve("warehouse")),
                new LocalFileIO())) {
          writers.check(lake);
          for (ChildService service : services) {
            try (var client = service.client()) {
              for (String table : EightWriters.TABLES) {
                List<Long> ids = new ArrayList<>();
                Rows.of(client, "SELECT id FROM lake.w." + table + " ORDER BY id")
                    .forEach(row -> ids.add(row.get(0).asLong()));
                assertThat(ids).isEqualTo(EightWriters.ids(lake, table));
              }
            }
          }
        }
      } finally {
        for (ChildService service : services) {
          service.close();
        }
      }
    }
  }
}
