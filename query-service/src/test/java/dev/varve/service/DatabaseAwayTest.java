package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service whose PostgreSQL goes away and comes back: it says so, and works again by itself. */
@Timeout(300)
class DatabaseAwayTest {
  @TempDir Path directory;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void theServiceSaysThatItsDatabaseIsAwayAndRecovers() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder().start();
        CutLine line = new CutLine(postgres.getPort())) {
      Home home = new Home(directory.resolve("home")).create();
      Files.writeString(
          home.configuration(),
          "database.url = jdbc:postgresql://localhost:"
              + line.port()
              + "/postgres\ndatabase.user = postgres\n");
      try (ChildService service = ChildService.start(directory, home);
          VarveClient client = service.client()) {
        Rows.of(client, "CREATE SCHEMA lake.s");
        Rows.of(client, "CREATE TABLE lake.s.t AS SELECT 1 AS k");
        assertThat(status(service, "/actuator/health/readiness")).isEqualTo(200);
        assertThat(status(service, "/iceberg/v1/namespaces/s/tables/t")).isEqualTo(200);

        line.cut();
        assertThat(status(service, "/iceberg/v1/namespaces/s/tables/t")).isEqualTo(503);
        assertThat(get(service, "/iceberg/v1/namespaces/s/tables/t").body())
            .contains("cannot read the catalog database");
        assertThat(status(service, "/actuator/health/readiness")).isEqualTo(503);
        assertThat(status(service, "/actuator/health/liveness")).isEqualTo(200);
        assertThatThrownBy(() -> Rows.of(client, "INSERT INTO lake.s.t VALUES (2)"))
            .isInstanceOf(ServerError.class)
            .hasMessageContaining("catalog database");

        line.mend();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (status(service, "/actuator/health/readiness") != 200) {
          assertThat(System.nanoTime()).as("not ready again").isLessThan(deadline);
          Thread.sleep(50);
        }
        Rows.of(client, "INSERT INTO lake.s.t VALUES (3)");
        assertThat(Rows.of(client, "SELECT count(*), sum(k) FROM lake.s.t").toString())
            .isEqualTo("[[2,4]]");
      }
    }
  }

  private HttpResponse<String> get(ChildService service, String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(URI.create(service.server().url() + path))
            .header("Authorization", "Bearer " + service.server().token())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private int status(ChildService service, String path) throws Exception {
    return get(service, path).statusCode();
  }
}
