package dev.varve.engine.physical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.kernel.Casts;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every expression of {@code expr/postgres.txt} gives what PostgreSQL 15 gives. A line is {@code
 * expression | answer}, where {@code !22012} is an error with that SQLSTATE. Where Varve means to
 * differ a line {@code #= answer: reason} follows.
 */
class PostgresAnswersTest {
  /** SQLSTATEs of bad arguments for which there is but one code here. */
  private static final Set<String> BAD_ARGUMENTS =
      Set.of("2201E", "2201F", "22011", "22019", "22025", "2201B", "54000", "22013");

  private record Case(String expression, String answer) {}

  private static List<Case> cases() throws IOException {
    List<Case> cases = new ArrayList<>();
    try (InputStream in = PostgresAnswersTest.class.getResourceAsStream("/expr/postgres.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.startsWith("#= ")) {
          Case last = cases.removeLast();
          cases.add(new Case(last.expression, line.substring(3, line.indexOf(": "))));
        } else if (!line.isBlank() && !line.startsWith("#")) {
          int bar = line.lastIndexOf(" | ");
          cases.add(
              bar < 0
                  ? new Case(line.substring(0, line.length() - 2), "")
                  : new Case(line.substring(0, bar), line.substring(bar + 3)));
        }
      }
    }
    return cases;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void answersAsPostgresDoes(boolean folding) throws IOException {
    Batch nothing = new Batch(Schema.EMPTY, List.of(), 1);
    Expressions expressions =
        folding ? Expressions.folding(nothing) : Expressions.unfolded(nothing);
    List<String> different = new ArrayList<>();
    List<Case> cases = cases();
    assertThat(cases).hasSizeGreaterThan(600);
    for (Case each : cases) {
      String answer = answer(expressions, each);
      if (!answer.equals(each.answer)) {
        different.add(each.expression + " | " + each.answer + " but here " + answer);
      }
    }
    assertThat(different).isEmpty();
  }

  /** What Varve says, in the words of the expected answer if it is the same value. */
  private static String answer(Expressions expressions, Case each) {
    try {
      LiteralExpr value = expressions.value(each.expression);
      String text = text(value);
      return same(value, text, each.answer) ? each.answer : text + " :: " + value.type();
    } catch (VarveException e) {
      String expected = each.answer.startsWith("!") ? each.answer.substring(1) : "";
      boolean badArgument = BAD_ARGUMENTS.contains(expected) && e.code().sqlState().equals("22023");
      return badArgument || e.code().sqlState().equals(expected)
          ? each.answer
          : "!" + e.code().sqlState() + " " + e.describe();
    } catch (RuntimeException | AssertionError e) {
      return "!!! " + e;
    }
  }

  private static String text(LiteralExpr value) {
    if (value.isNull()) {
      return "NULL";
    }
    if (value.type().equals(DataType.BOOLEAN)) {
      return Boolean.TRUE.equals(value.value()) ? "t" : "f";
    }
    Column text =
        Casts.cast(
            new ConstantColumn(value.single(), 1),
            DataType.VARCHAR,
            false,
            Expressions.CONTEXT.zone());
    return String.valueOf(text.value(0));
  }

  private static boolean same(LiteralExpr value, String text, String expected) {
    if (text.equals(expected)) {
      return true;
    }
    if (!value.type().isNumeric()) {
      return false;
    }
    try {
      BigDecimal ours = new BigDecimal(text);
      BigDecimal theirs = new BigDecimal(expected);
      if (value.type().isFloating()) {
        BigDecimal tolerance = theirs.abs().multiply(new BigDecimal("1e-14"));
        return ours.subtract(theirs).abs().compareTo(tolerance) <= 0;
      }
      return ours.compareTo(theirs) == 0
          || (value.type().isDecimal()
              && theirs.scale() > ours.scale()
              && theirs.setScale(ours.scale(), RoundingMode.HALF_UP).compareTo(ours) == 0);
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
