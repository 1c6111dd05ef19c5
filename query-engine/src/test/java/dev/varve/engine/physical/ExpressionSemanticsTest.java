package dev.varve.engine.physical;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Predicates;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.function.Resolution;
import dev.varve.engine.kernel.Orders;
import dev.varve.engine.kernel.RandomColumns;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.VarveException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions over columns: encodings, guards, three-valued selection, order. */
class ExpressionSemanticsTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.of("i", DataType.INTEGER),
          Field.of("j", DataType.INTEGER),
          Field.of("b", DataType.BIGINT),
          Field.of("x", DataType.DOUBLE),
          Field.of("m", DataType.decimal(12, 2)),
          Field.of("w", DataType.decimal(38, 10)),
          Field.of("s", DataType.VARCHAR),
          Field.of("u", DataType.VARCHAR),
          Field.of("d", DataType.DATE),
          Field.of("t", DataType.TIMESTAMP),
          Field.of("p", DataType.BOOLEAN));

  private static final String[] EXPRESSIONS = {
    "i + j",
    "b * 3 - i",
    "m * m",
    "m + w",
    "m / 3.0",
    "x * 2",
    "-m",
    "abs(i)",
    "i % 7",
    "case when i > 0 then j else -j end",
    "case when s = 'a' then 'A' when s is null then u end",
    "coalesce(i, j, 0)",
    "nullif(s, u)",
    "greatest(i, j)",
    "least(x, 1.5)",
    "i = j",
    "s < u",
    "m >= 1.5",
    "x <> 0",
    "d > date '2000-01-01'",
    "i in (1, 2, 3)",
    "s not in ('a', 'é')",
    "s in ('a', null)",
    "s like 'a%'",
    "s like '%b%'",
    "s ilike 'A_%'",
    "upper(s) || lower(u)",
    "length(s)",
    "substring(s from 2 for 3)",
    "left(s, 2)",
    "right(s, -1)",
    "lpad(s, 5, '*')",
    "replace(s, 'a', 'bb')",
    "trim(s)",
    "position('b' in s)",
    "starts_with(s, u)",
    "split_part(s, '_', 1)",
    "concat(s, i, u)",
    "reverse(s)",
    "md5(s)",
    "extract(year from d)",
    "extract(dow from t)",
    "date_trunc('month', t)",
    "d + 1",
    "d - date '2000-01-01'",
    "t + interval '1' day",
    "d + interval '1' month",
    "cast(i as varchar)",
    "cast(x as varchar)",
    "cast(m as double precision)",
    "cast(m as integer)",
    "cast(t as date)",
    "cast(d as timestamp)",
    "cast(i as decimal(20,3))",
    "p and i > 0",
    "p or x > 0",
    "not p",
    "p is true",
    "i is null",
    "p is not false",
    "i is distinct from j",
    "i between j and 5",
    "round(m, 1)",
    "floor(m)",
    "ceil(x)",
    "i > 0 and j > 0 and s <> 'a'",
    "i > 0 or j > 0 or s like 'a%'"
  };

  private static Batch batch(RandomColumns columns, int rows, boolean nulls) {
    List<Column> all = new ArrayList<>();
    for (Field field : SCHEMA.fields()) {
      all.add(columns.column(field.type(), rows, columns.encoding(), nulls, false));
    }
    return new Batch(SCHEMA, all, rows);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void encodingsAndSlicesDoNotChangeResults(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    Batch encoded = batch(columns, 60, seed % 2 == 0);
    Batch flat = new Batch(SCHEMA, encoded.columns().stream().map(Column::flat).toList(), 60);
    Expressions expressions = Expressions.folding(encoded);
    for (String sql : EXPRESSIONS) {
      PhysicalExpr expr = expressions.plan(sql, true);
      Column all = expr.evaluate(encoded, Expressions.CONTEXT);
      Column plain = expr.evaluate(flat, Expressions.CONTEXT);
      assertThat(all.type()).isEqualTo(expr.type());
      for (int i = 0; i < 60; i++) {
        String where = "seed " + seed + ": " + sql + " row " + i;
        assertThat(all.value(i)).as(where).isEqualTo(plain.value(i));
        if (i % 9 == 0) {
          Column single = expr.evaluate(encoded.slice(i, 1), Expressions.CONTEXT);
          assertThat(single.value(0)).as(where).isEqualTo(plain.value(i));
        }
        assertThat(expr.nullable() || plain.value(i) != null).as(where + " nullable").isTrue();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void selectsExactlyTheRowsThatAreTrue(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    Batch batch = batch(columns, 80, true);
    Expressions expressions = Expressions.folding(batch);
    for (String sql : EXPRESSIONS) {
      PhysicalExpr expr = expressions.plan(sql, true);
      if (!expr.type().equals(DataType.BOOLEAN)) {
        continue;
      }
      int[] rows = new int[80];
      int count = Predicates.select(expr, batch, Expressions.CONTEXT, rows);
      Column values = expr.evaluate(batch, Expressions.CONTEXT);
      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        if (Boolean.TRUE.equals(values.value(i))) {
          expected.add(i);
        }
      }
      List<Integer> selected = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        selected.add(rows[i]);
      }
      assertThat(selected).as("seed %s: %s", seed, sql).isEqualTo(expected);
    }
  }

  private static Batch divisors() {
    ColumnBuilder i = ColumnBuilder.of(DataType.INTEGER, 4);
    ColumnBuilder s = ColumnBuilder.of(DataType.VARCHAR, 4);
    for (int value : new int[] {2, 0, 5, 0}) {
      i.append(value);
      s.append(value == 0 ? "none" : Integer.toString(value));
    }
    return new Batch(
        Schema.of(Field.of("i", DataType.INTEGER), Field.of("s", DataType.VARCHAR)),
        List.of(i.build(), s.build()),
        4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "case when i <> 0 then 10 / i end",
        "case when i = 0 then -1 else 10 / i end",
        "i <> 0 and 10 / i > 1",
        "i = 0 or 10 / i > 1",
        "coalesce(nullif(i, 0), 7) > 0 and case when s <> 'none' then cast(s as integer) end = i",
        "case when s <> 'none' then cast(s as integer) else 0 end",
        "coalesce(case when i = 0 then 0 end, 10 / i)"
      })
  void guardsKeepRowsFromFailing(String sql) {
    Batch batch = divisors();
    Column result = Expressions.folding(batch).plan(sql, true).evaluate(batch, Expressions.CONTEXT);
    assertThat(result.length()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10 / i                | DIVISION_BY_ZERO     | division by zero: 10 / 0",
        "i + 2147483646        | NUMERIC_OUT_OF_RANGE | integer out of range: 2 + 2147483646",
        "cast(s as integer)    | INVALID_TEXT         | invalid input syntax for type integer: \"none\"",
        "cast(s as date)       | INVALID_DATETIME     | invalid input syntax for type date: \"2\"",
        "cast(i as decimal(2,2)) | NUMERIC_OUT_OF_RANGE | decimal(2,2) out of range: 2"
      })
  void failuresNameTheValues(String sql, String code, String message) {
    Batch batch = divisors();
    PhysicalExpr expr = Expressions.folding(batch).plan(sql.strip(), true);
    assertThat(expr.fallible()).isTrue();
    assertThatThrownBy(() -> expr.evaluate(batch, Expressions.CONTEXT))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).hasToString(code.strip()))
        .hasMessage(message.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "i + 1 | STRICTLY_INCREASING",
        "1 - i | STRICTLY_DECREASING",
        "-i | STRICTLY_DECREASING",
        "i * 2 | STRICTLY_INCREASING",
        "i * -2 | STRICTLY_DECREASING",
        "i / 2 | INCREASING",
        "i % 2 | NONE",
        "cast(i as bigint) | STRICTLY_INCREASING",
        "cast(t as date) | INCREASING",
        "cast(d as timestamp) | STRICTLY_INCREASING",
        "cast(i as varchar) | NONE",
        "cast(s as integer) | NONE",
        "cast(b as double precision) | INCREASING",
        "cast(m as integer) | INCREASING",
        "-x | NONE",
        "x + 1 | INCREASING",
        "1 - x | NONE",
        "floor(m) | INCREASING",
        "extract(year from d) | INCREASING",
        "extract(month from d) | NONE",
        "d + 1 | STRICTLY_INCREASING",
        "d + interval '1' month | INCREASING",
        "t + interval '1' month | NONE",
        "t + interval '1' day | STRICTLY_INCREASING",
        "upper(s) | NONE",
        "abs(i) | NONE",
        "m + w | STRICTLY_INCREASING",
        "round(m, 1) | INCREASING",
        "year(d) | INCREASING",
        "cast(t as timestamp with time zone) | NONE"
      })
  void declaresOnlyTheOrderItKeeps(String sql, String expected) {
    PhysicalExpr expr =
        Expressions.folding(batch(new RandomColumns(1), 1, false)).plan(sql.strip(), true);
    assertThat(expr.monotonicity(expr.children().get(0) instanceof LiteralExpr ? 1 : 0))
        .as(expr.toString())
        .isEqualTo(Monotonicity.valueOf(expected.strip()));
  }

  /** Whatever claims an order keeps it on sorted values; a strict claim keeps values apart. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4})
  void claimedOrdersHoldOnSortedValues(long seed) {
    RandomColumns columns = new RandomColumns(seed);
    String[] more = {
      "i + 1",
      "1 - i",
      "i * 3",
      "i * -2",
      "i / 2",
      "cast(i as double precision)",
      "cast(x as real)",
      "x + 1.5",
      "floor(x)",
      "round(x)",
      "cast(m as integer)",
      "cast(w as decimal(38,2))",
      "m * 1.5",
      "m / 3",
      "date_trunc('quarter', t)",
      "extract(epoch from t)",
      "extract(isoyear from d)",
      "extract(century from t)",
      "d + interval '1' month",
      "d - interval '7' month",
      "sign(m)",
      "trunc(m, 1)",
      "exp(x)",
      "year(t)",
      "cast(b as real)",
      "t + interval '36' hour"
    };
    for (String sql : more) {
      Batch batch = batch(columns, 200, true);
      PhysicalExpr expr = Expressions.folding(batch).plan(sql, true);
      int column = Exprs.columns(expr).nextSetBit(0);
      for (int child = 0; child < expr.children().size(); child++) {
        if (expr.monotonicity(child) == Monotonicity.NONE
            || Exprs.columns(expr.children().get(child)).isEmpty()) {
          continue;
        }
        checkOrder(batch, expr, child, column);
      }
    }
  }

  private static void checkOrder(Batch batch, PhysicalExpr expr, int child, int column) {
    Column inputs = expr.children().get(child).evaluate(batch, Expressions.CONTEXT);
    Column outputs = expr.evaluate(batch, Expressions.CONTEXT);
    Monotonicity claim = expr.monotonicity(child);
    for (int a = 0; a < batch.rowCount(); a++) {
      for (int b = 0; b < batch.rowCount(); b += 7) {
        Object x = inputs.value(a);
        Object y = inputs.value(b);
        String where = expr + " over column " + column + ": " + x + ", " + y;
        if (x == null || y == null) {
          assertThat(outputs.value(x == null ? a : b)).as(where).isNull();
          continue;
        }
        int in = Orders.compare(x, y);
        int out =
            Orders.compare(requireNonNull(outputs.value(a)), requireNonNull(outputs.value(b)))
                * (claim.isDecreasing() ? -1 : 1);
        assertThat(in < 0 ? out <= 0 : in == 0 ? out == 0 : out >= 0).as(where).isTrue();
        if (claim.isStrict()) {
          assertThat(in == 0).as(where).isEqualTo(out == 0);
        }
      }
    }
  }

  @Test
  void volatileAndStableFunctionsAreNotFolded() {
    Expressions expressions = Expressions.folding(batch(new RandomColumns(1), 1, false));
    assertThat(expressions.plan("random()", false).volatility()).isEqualTo(Volatility.VOLATILE);
    assertThat(expressions.plan("now()", false).volatility()).isEqualTo(Volatility.STABLE);
    assertThat(expressions.plan("current_date", false)).isNotInstanceOf(LiteralExpr.class);
    assertThat(expressions.plan("1 + 2", false)).isEqualTo(new LiteralExpr(3, DataType.INTEGER));
    assertThat(expressions.value("cast(now() as date) = current_date").value()).isEqualTo(true);
    assertThat(expressions.value("current_user").value()).isEqualTo("ada");
    assertThat(expressions.value("pg_typeof(1.5)").value()).isEqualTo("decimal(2,1)");
  }

  @Test
  void oneRandomNumberIsOneValueWhereverItIsUsed() {
    Batch rows = batch(new RandomColumns(1), 1, false);
    Column once =
        Expressions.folding(rows)
            .plan("random()", true)
            .evaluate(new Batch(SCHEMA, nulls(20_000), 20_000), Expressions.CONTEXT);
    assertThat(once.value(0)).isNotEqualTo(once.value(1));
  }

  private static List<Column> nulls(int rows) {
    return SCHEMA.fields().stream()
        .map(f -> (Column) ConstantColumn.nulls(f.type(), rows))
        .toList();
  }

  /** Where summer time ends there are two hours of one name; truncation keeps them apart. */
  @Test
  void truncationInAZoneKeepsBothHoursOfAClockChange() {
    Resolution resolution =
        requireNonNull(
            FunctionRegistry.standard()
                .resolve(
                    "date_trunc", List.of(DataType.NULL, DataType.TIMESTAMPTZ, DataType.NULL)));
    for (long hour : new long[] {1_699_171_200L, 1_699_174_800L}) {
      PhysicalExpr call =
          resolution
              .maker()
              .make(
                  List.of(
                      new LiteralExpr("hour", DataType.VARCHAR),
                      new LiteralExpr((hour + 2400) * 1_000_000, DataType.TIMESTAMPTZ),
                      new LiteralExpr("US/Pacific", DataType.VARCHAR)),
                  resolution.type());
      assertThat(call.monotonicity(1)).isEqualTo(Monotonicity.NONE);
      Column result = call.evaluate(new Batch(Schema.EMPTY, List.of(), 1), Expressions.CONTEXT);
      assertThat(result.value(0)).isEqualTo(Instant.ofEpochSecond(hour));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s + 1",
        "i + s",
        "upper(i)",
        "length(5)",
        "sqrt(s)",
        "nosuchfunction(i)",
        "d + s"
      })
  void typesThatDoNotFitAreErrorsAtPlanning(String sql) {
    Expressions expressions = Expressions.folding(batch(new RandomColumns(1), 1, false));
    assertThatThrownBy(() -> expressions.plan(sql, true)).isInstanceOf(VarveException.class);
  }
}
