package dev.varve.service.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.service.client.ResultPage.ResultColumn;
import dev.varve.service.client.ServerError;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class PrinterTest {
  private static final List<ResultColumn> COLUMNS =
      List.of(new ResultColumn("n", "bigint"), new ResultColumn("name", "varchar"));

  private static String print(OutputFormat format, List<ResultColumn> columns, String rows) {
    StringWriter text = new StringWriter();
    ResultPrinter printer = format.printer(new PrintWriter(text));
    printer.begin(columns);
    List<JsonNode> parsed = new ArrayList<>();
    JsonMapper.builder().build().readTree(rows).forEach(parsed::add);
    printer.rows(parsed);
    printer.end();
    return text.toString();
  }

  @Test
  void numbersStandRightAndNullIsToldFromText() {
    assertThat(
            print(OutputFormat.TABLE, COLUMNS, "[[1,\"one\"],[null,null],[12345,\"\"],[2,\"日本\"]]"))
        .isEqualTo(
            """
               n    |  name
            --------+--------
                  1 | one
             [null] | [null]
              12345 |
                  2 | 日本
            (4 rows)
            """);
  }

  @Test
  void aValueOfSeveralLinesTakesSeveralLines() {
    assertThat(
            print(
                OutputFormat.TABLE,
                List.of(new ResultColumn("plan", "varchar"), new ResultColumn("x", "integer")),
                "[[\"A\\n  B\",7]]"))
        .isEqualTo(
            """
             plan | x
            ------+---
             A    | 7
               B  |
            (1 row)
            """);
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    assertThat(print(OutputFormat.TABLE, COLUMNS, "[[1,\"\\u001b[2Jx\"]]"))
        .contains("\\x1b[2Jx")
        .doesNotContain("\u001b");
  }

  @Test
  void csvQuotesWhatNeedsItAndTellsNullFromEmpty() {
    assertThat(print(OutputFormat.CSV, COLUMNS, "[[1,\"a,\\\"b\"],[null,\"\"],[3,null]]"))
        .isEqualTo(
            String.join(System.lineSeparator(), "n,name", "1,\"a,\"\"b\"", ",\"\"", "3,", ""));
  }

  @Test
  void jsonIsOneObjectALine() {
    assertThat(print(OutputFormat.JSON, COLUMNS, "[[1,\"a\"],[2,null]]"))
        .isEqualToIgnoringNewLines("{\"n\":1,\"name\":\"a\"}{\"n\":2,\"name\":null}");
  }

  @Test
  void anErrorHasACaretUnderItsColumnAndItsPlaceInTheFile() {
    ServerError error =
        new ServerError(
            "UNDEFINED_COLUMN", "column 'regoin' not found", 2, 3, "did you mean 'region'?");
    assertThat(ErrorText.of(error, "SELECT\n\tregoin\nFROM t", 5, 3))
        .isEqualTo(
            """
            ERROR: column 'regoin' not found
            LINE 6: \tregoin
                    \t ^
            at line 6, column 3
            HINT: did you mean 'region'?""");
  }
}
