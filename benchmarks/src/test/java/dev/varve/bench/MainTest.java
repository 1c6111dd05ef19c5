package dev.varve.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final ByteArrayOutputStream complaints = new ByteArrayOutputStream();

  private int run(String line) {
    return Main.run(
        line.isEmpty() ? List.of() : List.of(line.split(" ")),
        new PrintStream(printed, true, StandardCharsets.UTF_8),
        new PrintStream(complaints, true, StandardCharsets.UTF_8));
  }

  private String complaint() {
    return complaints.toString(StandardCharsets.UTF_8);
  }

  @Test
  void helpIsNoFailure() {
    assertThat(run("--help")).isZero();
    assertThat(run("tpch --help")).isZero();
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("--peer duckdb").contains("tpch");
    assertThat(complaint()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"                             | bench needs the name of a benchmark",
        "tcph                           | no benchmark 'tcph'",
        "tpch                           | bench tpch needs --scale",
        "tpch --scale                   | --scale needs a value",
        "tpch --scale big               | --scale big is not a number",
        "tpch --scale 0                 | --scale 0 is not a number",
        "tpch --scale NaN               | --scale NaN is not a number",
        "tpch --scale 1 --scale 2       | --scale is given twice",
        "tpch --scale 1 --peer postgres | --peer postgres is not one of duckdb",
        "tpch --scale 1 --files spark   | --files spark is not one of duckdb, varve",
        "tpch --scale 1 --runs 0        | --runs 0 is not a whole number",
        "tpch --scale 1 --queries q23   | 'q23' is none of q01 to q22",
        "tpch --scale 1 --plan-cache=no | --plan-cache takes no value",
        "tpch --scale 1 --speed 3       | does not know '--speed'",
        "tpch --scale 1 --data /nowhere | there is no file /nowhere/customer.parquet",
      })
  void whatCannotBeFollowedIsSaidAndEndsWithTwo(String line, String expected) {
    assertThat(run(line)).isEqualTo(2);
    assertThat(complaint()).startsWith("varve: ").contains(expected);
  }

  @Test
  void aHomeThatCannotBeWrittenIsSaid(@TempDir Path folder) throws Exception {
    Path file = java.nio.file.Files.createFile(folder.resolve("file"));
    assertThat(run("tpch --scale 0.01 --home " + file)).isEqualTo(2);
    assertThat(complaint()).contains("cannot keep files in " + file);
  }
}
