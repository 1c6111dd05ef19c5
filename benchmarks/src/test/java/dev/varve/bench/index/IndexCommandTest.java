package dev.varve.bench.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.bench.BadUsage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on small tables. */
class IndexCommandTest {
  @TempDir private Path folder;

  @Test
  void plansAreOverTheRightFilesAndFiguresAreWritten() throws Exception {
    Path json = folder.resolve("figures.json");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    int code =
        IndexCommand.parse(
                List.of(
                    "--files=2000",
                    "--columns=5",
                    "--runs=3",
                    "--warmups=2",
                    "--commits=1",
                    "--home",
                    folder.toString(),
                    "--json",
                    json.toString()))
            .run(new PrintStream(printed, true, StandardCharsets.UTF_8));
    assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("WRONG PLAN");
    assertThat(code).isZero();
    JsonNode root = new ObjectMapper().readTree(Files.readString(json));
    assertThat(root.at("/planning")).hasSize(10);
    assertThat(root.at("/planning/1/files").asLong()).isEqualTo(2000);
    assertThat(root.at("/planning/1/kept").asLong()).isBetween(10L, 11L);
    assertThat(root.at("/planning/1/cpuMillis").asDouble()).isPositive();
    assertThat(root.at("/commits")).hasSize(2);
  }

  @Test
  void aUrlIsForPostgres() {
    assertThatThrownBy(() -> IndexCommand.parse(List.of("--jdbc-url", "jdbc:postgresql://x/y")))
        .isInstanceOf(BadUsage.class)
        .hasMessageContaining("--database postgres");
  }
}
