package dev.varve.bench.kernels;

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

/** Every benchmark runs, in this JVM and for a moment only. */
class KernelsCommandTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int run(String... options) {
    return KernelsCommand.parse(List.of(options))
        .run(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @Test
  void everyKernelHasItsPlainLoop(@TempDir Path folder) throws Exception {
    Path json = folder.resolve("kernels.json");
    assertThat(run("--forks", "0", "--iterations", "1", "--millis", "1", "--json", json.toString()))
        .isZero();
    JsonNode kernels = new ObjectMapper().readTree(Files.readString(json)).at("/kernels");
    assertThat(kernels.findValuesAsText("name"))
        .contains(
            "compare", "decimal", "dictionary", "gather", "search special", "selection", "sum");
    assertThat(kernels)
        .allSatisfy(kernel -> assertThat(kernel.at("/ratio").asDouble()).isPositive());
  }

  @Test
  void aFilterThatFitsNothingIsRefused() {
    assertThatThrownBy(() -> run("--filter", "NoSuch", "--forks", "0"))
        .isInstanceOf(BadUsage.class)
        .hasMessageContaining("NoSuch");
  }
}
