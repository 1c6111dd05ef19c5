package dev.varve.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole command at a size that takes a moment. */
class TpchCommandTest {
  @TempDir private Path folder;

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  private int run(String... options) {
    return TpchCommand.parse(List.of(options))
        .run(new PrintStream(printed, true, StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"duckdb", "varve"})
  void everyQueryIsComparedAndMeasuredOverTheFilesOfEitherWriter(String writer) throws Exception {
    Path json = folder.resolve("out/figures.json");
    int code =
        run(
            "--scale",
            "0.01",
            "--peer",
            "duckdb",
            "--files",
            writer,
            "--runs",
            "1",
            "--warmups",
            "0",
            "--home",
            folder.toString(),
            "--json",
            json.toString());
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("q22").doesNotContain("NO:");
    assertThat(code).isZero();
    JsonNode figures = new ObjectMapper().readTree(Files.readString(json));
    assertThat(figures.at("/queries")).hasSize(22);
    assertThat(figures.at("/files").asText()).isEqualTo(writer);
    double logarithms = 0;
    for (JsonNode query : figures.at("/queries")) {
      assertThat(query.at("/equal").asBoolean()).isTrue();
      assertThat(query.at("/ours_ms").asDouble()).isPositive();
      assertThat(query.at("/peer_ms").asDouble()).isPositive();
      logarithms += Math.log(query.at("/ratio").asDouble());
    }
    assertThat(figures.at("/geomean_ratio").asDouble())
        .isCloseTo(Math.exp(logarithms / 22), org.assertj.core.data.Percentage.withPercentage(1));
    try (Stream<Path> files = Files.list(folder.resolve("bench/tpch-0.01-" + writer))) {
      assertThat(files).hasSize(8).allMatch(file -> file.toString().endsWith(".parquet"));
    }
  }

  @Test
  void withoutAPeerThereIsNoRatio() throws Exception {
    Path json = folder.resolve("figures.json");
    assertThat(
            run(
                "--scale",
                "0.001",
                "--queries",
                "q06,1",
                "--runs",
                "2",
                "--warmups",
                "0",
                "--home",
                folder.toString(),
                "--json",
                json.toString()))
        .isZero();
    JsonNode figures = new ObjectMapper().readTree(Files.readString(json));
    assertThat(figures.at("/queries")).hasSize(2);
    assertThat(figures.at("/queries/0/name").asText()).isEqualTo("q01");
    assertThat(figures.at("/queries/0/ratio").isMissingNode()).isTrue();
    assertThat(figures.at("/geomean_ratio").isMissingNode()).isTrue();
  }

  @Test
  void aProfileNamesMethods() {
    Path profile = folder.resolve("run.jfr");
    assertThat(
            run(
                "--scale",
                "0.01",
                "--queries",
                "q01",
                "--runs",
                "3",
                "--warmups",
                "0",
                "--home",
                folder.toString(),
                "--profile",
                profile.toString()))
        .isZero();
    assertThat(profile).exists();
    assertThat(printed.toString(StandardCharsets.UTF_8)).containsPattern("q01: \\d+ samples");
  }
}
