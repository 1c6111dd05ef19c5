package dev.varve.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.bench.contest.DuckDbContestant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is the same and what is not, on results that an engine really gives. */
class AnswerTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1.50::DECIMAL(9,2)     | SELECT 1.5::DECIMAL(18,1)",
        "SELECT 3::BIGINT              | SELECT 3::HUGEINT",
        "SELECT 0.1::DOUBLE            | SELECT 0.1000000001::DECIMAL(12,10)",
        "SELECT 'nan'::DOUBLE          | SELECT 'nan'::DOUBLE",
        "SELECT NULL::INTEGER          | SELECT NULL::INTEGER",
        "SELECT DATE '1995-03-15'      | SELECT DATE '1995-03-15'",
        "SELECT * FROM range(20000)    | SELECT * FROM range(20000)",
      })
  void theSame(String ours, String theirs) {
    assertThat(compare(ours, theirs)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 1.50::DECIMAL(9,2)        | SELECT 1.51::DECIMAL(9,2)",
        "SELECT 0.1::DOUBLE               | SELECT 0.1001::DOUBLE",
        "SELECT NULL::INTEGER             | SELECT 0",
        "SELECT 'a'                       | SELECT 'b'",
        "SELECT 1                         | SELECT 1, 2",
        "SELECT 'nan'::DOUBLE             | SELECT 1::DOUBLE",
        "SELECT * FROM range(3)           | SELECT * FROM range(4)",
        "SELECT * FROM range(3)           | SELECT * FROM range(3) t(i) ORDER BY i DESC",
        "SELECT DATE '1995-03-15'         | SELECT DATE '1995-03-16'",
      })
  void different(String ours, String theirs) {
    assertThat(compare(ours, theirs)).isPresent();
  }

  private static java.util.Optional<String> compare(String ours, String theirs) {
    try (DuckDbContestant duckdb = new DuckDbContestant(1)) {
      Answer first = new Answer();
      duckdb.run(ours, first);
      Answer second = new Answer();
      duckdb.run(theirs, second);
      return first.differenceFrom(second);
    }
  }
}
