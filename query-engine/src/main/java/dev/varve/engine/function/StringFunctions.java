package dev.varve.engine.function;

import static dev.varve.engine.type.TypeKind.BIGINT;
import static dev.varve.engine.type.TypeKind.INTEGER;
import static dev.varve.engine.type.TypeKind.VARBINARY;
import static dev.varve.engine.type.TypeKind.VARCHAR;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.expr.FunctionExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.Strings;
import dev.varve.engine.kernel.TextMatches;
import dev.varve.engine.kernel.TextRows;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Functions of text. */
final class StringFunctions {
  /** Strict concatenation, the operator {@code ||}. */
  static final String CONCAT_OPERATOR = "text$concat";

  private StringFunctions() {}

  static List<FunctionDefinition> all() {
    List<FunctionDefinition> all = new ArrayList<>();
    all.add(text("lower", a -> Strings.changeCase(a.get(0), false)));
    all.add(text("upper", a -> Strings.changeCase(a.get(0), true)));
    all.add(rows("reverse", TextRows::reverse));
    all.add(rows("initcap", TextRows::initCap));
    all.add(rows("md5", TextRows::md5));
    for (String name : List.of("length", "char_length", "character_length")) {
      all.add(
          named(name)
              .overload(DataType.INTEGER, of(a -> Strings.length(a.get(0))), VARCHAR)
              .overload(DataType.INTEGER, of(a -> Strings.byteLength(a.get(0), 1)), VARBINARY)
              .build());
    }
    all.add(byteLength("octet_length", 1));
    all.add(byteLength("bit_length", 8));
    for (String name : List.of("substring", "substr")) {
      all.add(
          named(name)
              .fallible()
              .overload(
                  DataType.VARCHAR,
                  of(a -> Strings.substring(a.get(0), a.get(1))),
                  VARCHAR,
                  INTEGER)
              .overload(
                  DataType.VARCHAR,
                  of(a -> Strings.substring(a.get(0), a.get(1), a.get(2))),
                  VARCHAR,
                  INTEGER,
                  INTEGER)
              .build());
    }
    all.add(text("left", a -> Strings.side(a.get(0), a.get(1), true), INTEGER));
    all.add(text("right", a -> Strings.side(a.get(0), a.get(1), false), INTEGER));
    all.add(trim("btrim", true, true));
    all.add(trim("ltrim", true, false));
    all.add(trim("rtrim", false, true));
    all.add(
        named("strpos")
            .overload(
                DataType.INTEGER, of(a -> Strings.position(a.get(0), a.get(1))), VARCHAR, VARCHAR)
            .build());
    all.add(has("starts_with", Strings.Place.START));
    all.add(has("ends_with", Strings.Place.END));
    all.add(has("contains", Strings.Place.ANYWHERE));
    all.add(text("replace", a -> Strings.replace(a.get(0), a.get(1), a.get(2)), VARCHAR, VARCHAR));
    all.add(
        text(
            "translate",
            a -> TextRows.map(a, row -> TextRows.translate(row[0], row[1], row[2])),
            VARCHAR,
            VARCHAR));
    all.add(
        named("overlay")
            .fallible()
            .overload(
                DataType.VARCHAR,
                of(a -> TextRows.overlay(a.get(0), a.get(1), a.get(2), null)),
                VARCHAR,
                VARCHAR,
                INTEGER)
            .overload(
                DataType.VARCHAR,
                of(a -> TextRows.overlay(a.get(0), a.get(1), a.get(2), a.get(3))),
                VARCHAR,
                VARCHAR,
                INTEGER,
                INTEGER)
            .build());
    all.add(pad("lpad", true));
    all.add(pad("rpad", false));
    all.add(
        named("repeat")
            .fallible()
            .overload(
                DataType.VARCHAR, of(a -> Strings.repeat(a.get(0), a.get(1))), VARCHAR, INTEGER)
            .build());
    all.add(
        named("split_part")
            .fallible()
            .overload(
                DataType.VARCHAR,
                of(a -> TextRows.splitPart(a.get(0), a.get(1), a.get(2))),
                VARCHAR,
                VARCHAR,
                INTEGER)
            .build());
    all.add(
        named("ascii")
            .overload(
                DataType.INTEGER, of(a -> TextRows.mapToInt(a.get(0), TextRows::ascii)), VARCHAR)
            .build());
    all.add(
        named("chr")
            .fallible()
            .overload(
                DataType.VARCHAR, of(a -> TextRows.fromInts(a.get(0), TextRows::chr)), INTEGER)
            .build());
    all.add(
        named("to_hex")
            .overload(
                DataType.VARCHAR,
                of(a -> TextRows.fromInts(a.get(0), Integer::toHexString)),
                INTEGER)
            .overload(DataType.VARCHAR, of(a -> TextMatches.toHex(a.get(0))), BIGINT)
            .build());
    all.add(concatOperator());
    all.add(concat());
    all.add(concatWithSeparator());
    all.add(regexpReplace());
    all.add(
        named("regexp_like")
            .fallible()
            .overload(DataType.BOOLEAN, of(TextMatches::regexpLike), VARCHAR, VARCHAR)
            .overload(DataType.BOOLEAN, of(TextMatches::regexpLike), VARCHAR, VARCHAR, VARCHAR)
            .build());
    return all;
  }

  /** A function that needs nothing but its arguments. */
  @FunctionalInterface
  private interface Simple {
    Column apply(List<Column> arguments);
  }

  private static BuiltinFunction.Body of(Simple simple) {
    return (arguments, rows, type, context) -> simple.apply(arguments);
  }

  private static FunctionDefinition.Builder named(String name) {
    return FunctionDefinition.named(name);
  }

  /** From text and more to text. */
  private static FunctionDefinition text(String name, Simple body, TypeKind... more) {
    TypeKind[] parameters = new TypeKind[more.length + 1];
    parameters[0] = VARCHAR;
    System.arraycopy(more, 0, parameters, 1, more.length);
    return named(name).overload(DataType.VARCHAR, of(body), parameters).build();
  }

  private static FunctionDefinition rows(String name, UnaryOperator<String> operation) {
    return text(name, a -> TextRows.map(a.get(0), operation));
  }

  private static FunctionDefinition byteLength(String name, int factor) {
    BuiltinFunction.Body body = of(a -> Strings.byteLength(a.get(0), factor));
    return named(name)
        .overload(DataType.INTEGER, body, VARCHAR)
        .overload(DataType.INTEGER, body, VARBINARY)
        .build();
  }

  private static FunctionDefinition trim(String name, boolean atStart, boolean atEnd) {
    LiteralExpr blank = new LiteralExpr(" ", DataType.VARCHAR);
    return named(name)
        .overload(
            DataType.VARCHAR,
            (arguments, rows, type, context) ->
                Strings.trim(
                    arguments.get(0), new ConstantColumn(blank.single(), rows), atStart, atEnd),
            VARCHAR)
        .overload(
            DataType.VARCHAR,
            of(a -> Strings.trim(a.get(0), a.get(1), atStart, atEnd)),
            VARCHAR,
            VARCHAR)
        .build();
  }

  private static FunctionDefinition has(String name, Strings.Place place) {
    return named(name)
        .overload(
            DataType.BOOLEAN, of(a -> Strings.has(a.get(0), a.get(1), place)), VARCHAR, VARCHAR)
        .build();
  }

  private static FunctionDefinition pad(String name, boolean left) {
    LiteralExpr blank = new LiteralExpr(" ", DataType.VARCHAR);
    return named(name)
        .fallible()
        .overload(
            DataType.VARCHAR,
            (arguments, rows, type, context) ->
                Strings.pad(
                    arguments.get(0),
                    arguments.get(1),
                    new ConstantColumn(blank.single(), rows),
                    left),
            VARCHAR,
            INTEGER)
        .overload(
            DataType.VARCHAR,
            of(a -> Strings.pad(a.get(0), a.get(1), a.get(2), left)),
            VARCHAR,
            INTEGER,
            VARCHAR)
        .build();
  }

  private static FunctionDefinition concatOperator() {
    return joining(CONCAT_OPERATOR, NullRule.STRICT, 2, Strings::concatStrict);
  }

  private static FunctionDefinition concat() {
    return joining("concat", NullRule.NEVER_NULL, 1, Strings::concat);
  }

  private static FunctionDefinition concatWithSeparator() {
    return joining(
        "concat_ws",
        NullRule.ANY_NULL,
        2,
        a -> Strings.concatWithSeparator(a.get(0), a.subList(1, a.size())));
  }

  /** Takes any number of arguments from {@code least} on, each converted to text. */
  private static FunctionDefinition joining(String name, NullRule nulls, int least, Simple body) {
    BuiltinFunction function =
        new BuiltinFunction(
            name, Volatility.IMMUTABLE, nulls, false, BuiltinFunction.Order.NONE, of(body));
    Resolution.Maker maker = (arguments, type) -> new FunctionExpr(function, arguments, type);
    return named(name)
        .nulls(nulls)
        .overload(
            (arguments, constants) ->
                arguments.size() < least
                    ? null
                    : new Resolution(
                        arguments.stream().map(argument -> DataType.VARCHAR).toList(),
                        DataType.VARCHAR,
                        maker,
                        0),
            name + "(any, ...)")
        .build();
  }

  private static FunctionDefinition regexpReplace() {
    BuiltinFunction.Body body =
        of(
            a -> {
              TextRows.PatternMemory memory = new TextRows.PatternMemory();
              return TextRows.map(
                  a,
                  row -> {
                    String flags = row.length > 3 ? row[3] : "";
                    return TextRows.regexpReplace(
                        memory.get(row[1], flags), row[0], row[2], flags.indexOf('g') >= 0);
                  });
            });
    return named("regexp_replace")
        .fallible()
        .overload(DataType.VARCHAR, body, VARCHAR, VARCHAR, VARCHAR)
        .overload(DataType.VARCHAR, body, VARCHAR, VARCHAR, VARCHAR, VARCHAR)
        .build();
  }
}
