package dev.varve.engine.function;

import static dev.varve.engine.type.TypeKind.BIGINT;
import static dev.varve.engine.type.TypeKind.DATE;
import static dev.varve.engine.type.TypeKind.DOUBLE;
import static dev.varve.engine.type.TypeKind.INTEGER;
import static dev.varve.engine.type.TypeKind.INTERVAL_DAY;
import static dev.varve.engine.type.TypeKind.INTERVAL_MONTH;
import static dev.varve.engine.type.TypeKind.TIME;
import static dev.varve.engine.type.TypeKind.TIMESTAMP;
import static dev.varve.engine.type.TypeKind.TIMESTAMPTZ;
import static dev.varve.engine.type.TypeKind.VARCHAR;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.FunctionExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.Monotonicity;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.DateField;
import dev.varve.engine.kernel.DateFormat;
import dev.varve.engine.kernel.DateTimes;
import dev.varve.engine.kernel.RowScatter;
import dev.varve.engine.kernel.Zones;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Functions of dates, times and intervals. */
final class DateTimeFunctions {
  private DateTimeFunctions() {}

  static List<FunctionDefinition> all() {
    List<FunctionDefinition> all = new ArrayList<>();
    all.add(dateTrunc());
    all.add(datePart());
    for (DateField field : DateField.values()) {
      switch (field) {
        case YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND, EPOCH ->
            all.add(fieldFunction(field.name().toLowerCase(Locale.ROOT), field));
        case DOW -> all.add(fieldFunction("dayofweek", field));
        case DOY -> all.add(fieldFunction("dayofyear", field));
        default -> {}
      }
    }
    all.add(addDays());
    all.add(subtractDays());
    all.add(
        FunctionDefinition.named(DatetimeOperators.DAYS_BETWEEN)
            .fallible()
            .order(BuiltinFunction.Order.NONE)
            .overload(
                DataType.INTEGER,
                (a, rows, type, context) -> DateTimes.daysBetween(a.get(0), a.get(1)),
                DATE,
                DATE)
            .build());
    all.add(difference());
    all.add(makeDate());
    all.add(
        FunctionDefinition.named("make_timestamp")
            .fallible()
            .overload(
                DataType.TIMESTAMP,
                (a, rows, type, context) -> DateTimes.makeTimestamp(a),
                INTEGER,
                INTEGER,
                INTEGER,
                INTEGER,
                INTEGER,
                DOUBLE)
            .build());
    all.add(
        FunctionDefinition.named("to_timestamp")
            .fallible()
            .order(Monotonicity.INCREASING)
            .overload(
                DataType.TIMESTAMPTZ,
                (a, rows, type, context) -> DateTimes.fromEpoch(a.get(0)),
                DOUBLE)
            .build());
    all.add(timezone());
    all.add(toChar());
    for (String name : List.of("now", "current_timestamp", "transaction_timestamp")) {
      all.add(stable(name, DataType.TIMESTAMPTZ, EvalContext::nowMicros));
    }
    all.add(stable("localtimestamp", DataType.TIMESTAMP, DateTimeFunctions::localNow));
    all.add(
        stable(
            "current_date",
            DataType.DATE,
            context -> Math.floorDiv(localNow(context), Zones.MICROS_PER_DAY)));
    for (String name : List.of("localtime", "current_time")) {
      all.add(
          stable(
              name,
              DataType.TIME,
              context -> Math.floorMod(localNow(context), Zones.MICROS_PER_DAY)));
    }
    return all;
  }

  private static long localNow(EvalContext context) {
    return context.nowMicros() + Zones.offsetAt(context.nowMicros(), context.zone().getRules());
  }

  /** The same value for the whole of a statement's execution. */
  private static FunctionDefinition stable(
      String name, DataType type, ToLongFunction<EvalContext> value) {
    return FunctionDefinition.named(name)
        .volatility(Volatility.STABLE)
        .nulls(NullRule.NEVER_NULL)
        .overload(
            type,
            (arguments, rows, resultType, context) ->
                new ConstantColumn(
                    new LiteralExpr(value.applyAsLong(context), type).single(), rows))
        .build();
  }

  /** An operation for the field that the first argument names. */
  @FunctionalInterface
  private interface FieldOperation {
    Column apply(DateField field, Column values);
  }

  private static Column byField(
      Column names, Column values, DataType type, FieldOperation operation) {
    String name = DateTimes.constantText(names);
    if (name != null) {
      return operation.apply(DateField.of(name), values);
    }
    int n = values.length();
    RowScatter rows = new RowScatter(type, n);
    for (int i = 0; i < n; i++) {
      if (names.value(i) instanceof String text && !values.isNull(i)) {
        rows.put(operation.apply(DateField.of(text), values.slice(i, 1)), new int[] {i}, 1);
      }
    }
    return rows.build();
  }

  private static FunctionDefinition dateTrunc() {
    BuiltinFunction.Body local =
        (a, rows, type, context) ->
            byField(
                a.get(0),
                a.get(1),
                type,
                (unit, values) -> DateTimes.truncate(unit, values, ZoneOffset.UTC));
    BuiltinFunction.Order follows =
        (arguments, index) ->
            index == 1 && arguments.get(0) instanceof LiteralExpr
                ? Monotonicity.INCREASING
                : Monotonicity.NONE;
    return FunctionDefinition.named("date_trunc")
        .fallible()
        .order(follows)
        .overload(DataType.TIMESTAMP, local, VARCHAR, TIMESTAMP)
        .overload(DataType.INTERVAL_DAY, local, VARCHAR, INTERVAL_DAY)
        // Local time runs back when summer time ends: no order is claimed in a zone.
        .order(BuiltinFunction.Order.NONE)
        .volatility(Volatility.STABLE)
        .overload(
            DataType.TIMESTAMPTZ,
            (a, rows, type, context) ->
                byField(
                    a.get(0),
                    a.get(1),
                    type,
                    (unit, values) -> DateTimes.truncate(unit, values, context.zone())),
            VARCHAR,
            TIMESTAMPTZ)
        .volatility(Volatility.IMMUTABLE)
        .overload(
            DataType.TIMESTAMPTZ,
            (a, rows, type, context) -> truncatedIn(a.get(0), a.get(1), a.get(2)),
            VARCHAR,
            TIMESTAMPTZ,
            VARCHAR)
        .build();
  }

  private static Column truncatedIn(Column units, Column values, Column zones) {
    String name = DateTimes.constantText(zones);
    int n = values.length();
    if (name != null) {
      return byField(
          units,
          values,
          DataType.TIMESTAMPTZ,
          (unit, column) -> DateTimes.truncate(unit, column, DateTimes.zone(name)));
    }
    RowScatter rows = new RowScatter(DataType.TIMESTAMPTZ, n);
    for (int i = 0; i < n; i++) {
      boolean known = !units.isNull(i) && !values.isNull(i) && !zones.isNull(i);
      if (known && zones.value(i) instanceof String zone) {
        Column row =
            byField(
                units.slice(i, 1),
                values.slice(i, 1),
                DataType.TIMESTAMPTZ,
                (unit, column) -> DateTimes.truncate(unit, column, DateTimes.zone(zone)));
        rows.put(row, new int[] {i}, 1);
      }
    }
    return rows.build();
  }

  private static FunctionDefinition datePart() {
    FunctionDefinition.Builder builder = FunctionDefinition.named("date_part").fallible();
    for (TypeKind kind : List.of(DATE, TIMESTAMP, TIME, INTERVAL_DAY, INTERVAL_MONTH)) {
      builder.overload(DataType.DOUBLE, partBody(), VARCHAR, kind);
    }
    return builder
        .volatility(Volatility.STABLE)
        .overload(DataType.DOUBLE, partBody(), VARCHAR, TIMESTAMPTZ)
        .build();
  }

  private static BuiltinFunction.Body partBody() {
    return (a, rows, type, context) ->
        byField(
            a.get(0),
            a.get(1),
            type,
            (field, values) -> DateTimes.datePart(field, values, context.zone()));
  }

  /** {@code year(x)} and its like: {@code EXTRACT(YEAR FROM x)}. */
  private static FunctionDefinition fieldFunction(String name, DateField field) {
    FunctionDefinition.Builder builder = FunctionDefinition.named(name);
    for (TypeKind kind :
        List.of(DATE, TIMESTAMP, TIMESTAMPTZ, TIME, INTERVAL_DAY, INTERVAL_MONTH)) {
      builder.add(
          types -> DataType.BIGINT,
          (arguments, type) -> new FunctionExpr(new ExtractFunction(field, kind), arguments, type),
          false,
          List.of(kind));
    }
    return builder.build();
  }

  private static FunctionDefinition addDays() {
    return FunctionDefinition.named(DatetimeOperators.ADD_DAYS)
        .fallible()
        .order((arguments, index) -> Monotonicity.STRICTLY_INCREASING)
        .overload(
            DataType.DATE,
            (a, rows, type, context) -> DateTimes.addDays(a.get(0), a.get(1), 1),
            DATE,
            BIGINT)
        .overload(
            DataType.DATE,
            (a, rows, type, context) -> DateTimes.addDays(a.get(1), a.get(0), 1),
            BIGINT,
            DATE)
        .build();
  }

  private static FunctionDefinition subtractDays() {
    return FunctionDefinition.named(DatetimeOperators.SUBTRACT_DAYS)
        .fallible()
        .order(
            (arguments, index) ->
                index == 0 ? Monotonicity.STRICTLY_INCREASING : Monotonicity.STRICTLY_DECREASING)
        .overload(
            DataType.DATE,
            (a, rows, type, context) -> DateTimes.addDays(a.get(0), a.get(1), -1),
            DATE,
            BIGINT)
        .build();
  }

  private static FunctionDefinition difference() {
    BuiltinFunction.Body body =
        (a, rows, type, context) -> DateTimes.difference(a.get(0), a.get(1));
    return FunctionDefinition.named(DatetimeOperators.TIMESTAMP_DIFFERENCE)
        .fallible()
        .overload(DataType.INTERVAL_DAY, body, TIMESTAMP, TIMESTAMP)
        .overload(DataType.INTERVAL_DAY, body, TIMESTAMPTZ, TIMESTAMPTZ)
        .overload(DataType.INTERVAL_DAY, body, TIME, TIME)
        .build();
  }

  private static FunctionDefinition makeDate() {
    return FunctionDefinition.named("make_date")
        .fallible()
        .overload(
            DataType.DATE,
            (a, rows, type, context) -> DateTimes.makeDate(a.get(0), a.get(1), a.get(2)),
            INTEGER,
            INTEGER,
            INTEGER)
        .build();
  }

  /** {@code AT TIME ZONE} as a function. */
  private static FunctionDefinition timezone() {
    BuiltinFunction.Body body = (a, rows, type, context) -> DateTimes.atZone(a.get(0), a.get(1));
    return FunctionDefinition.named("timezone")
        .fallible()
        .overload(DataType.TIMESTAMPTZ, body, VARCHAR, TIMESTAMP)
        .overload(DataType.TIMESTAMP, body, VARCHAR, TIMESTAMPTZ)
        .build();
  }

  private static FunctionDefinition toChar() {
    BuiltinFunction.Body body =
        (a, rows, type, context) -> DateFormat.format(a.get(0), a.get(1), context.zone());
    return FunctionDefinition.named("to_char")
        .overload(DataType.VARCHAR, body, DATE, VARCHAR)
        .overload(DataType.VARCHAR, body, TIMESTAMP, VARCHAR)
        .volatility(Volatility.STABLE)
        .overload(DataType.VARCHAR, body, TIMESTAMPTZ, VARCHAR)
        .build();
  }
}
