package dev.varve.engine.sql;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

/** Turns what the generated parser throws into messages for people. */
final class SyntaxErrors {
  /** More alternatives than these say nothing. */
  private static final int MAX_EXPECTED = 4;

  /** Words that begin a clause; a misspelt one is taken for a name and the error comes after it. */
  private static final List<String> CLAUSES =
      List.of(
          "SELECT",
          "FROM",
          "WHERE",
          "GROUP",
          "HAVING",
          "ORDER",
          "LIMIT",
          "OFFSET",
          "JOIN",
          "INNER",
          "LEFT",
          "RIGHT",
          "FULL",
          "CROSS",
          "UNION",
          "EXCEPT",
          "INTERSECT",
          "WINDOW",
          "AND",
          "OR",
          "LIKE",
          "BETWEEN",
          "IN",
          "AS",
          "BY",
          "ON",
          "USING",
          "VALUES",
          "INTO",
          "TABLE",
          "SCHEMA",
          "WITH",
          "ORDERED",
          "ASC",
          "DESC",
          "NULLS",
          "FIRST",
          "LAST");

  private static final List<String> STATEMENTS =
      List.of(
          "SELECT",
          "WITH",
          "VALUES",
          "EXPLAIN",
          "CREATE",
          "DROP",
          "INSERT",
          "COPY",
          "CALL",
          "SHOW",
          "DESCRIBE",
          "SET",
          "RESET",
          "USE");

  private SyntaxErrors() {}

  static VarveException at(SourcePosition position, String message) {
    return new VarveException(ErrorCode.SYNTAX_ERROR, message, position, null, null);
  }

  static VarveException unsupported(SourcePosition position, String message) {
    return new VarveException(ErrorCode.FEATURE_NOT_SUPPORTED, message, position, null, null);
  }

  static VarveException of(Throwable failure) {
    return switch (failure) {
      case VarveException known -> known;
      case ParseException unexpected -> unexpectedToken(unexpected);
      case TokenMgrError lexical -> lexical(lexical);
      case CalciteContextException context -> {
        Throwable cause = context.getCause() == null ? context : context.getCause();
        yield at(position(context), sentence(cause.getMessage()));
      }
      case SqlParseException parse ->
          parse.getCause() != null && parse.getCause() != failure
              ? of(parse.getCause())
              : at(Positions.of(parse.getPos()), sentence(parse.getMessage()));
      case StackOverflowError deep ->
          new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED, "the statement is nested too deeply", deep);
      default ->
          new VarveException(
              ErrorCode.SYNTAX_ERROR,
              "the statement cannot be parsed: " + sentence(failure.getMessage()),
              failure);
    };
  }

  static SourcePosition position(CalciteContextException context) {
    return new SourcePosition(
        Math.max(1, context.getPosLine()), Math.max(1, context.getPosColumn()));
  }

  private static String sentence(@Nullable String message) {
    if (message == null || message.isEmpty()) {
      return "unknown reason";
    }
    String first = message.lines().findFirst().orElse(message);
    return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
  }

  private static VarveException unexpectedToken(ParseException failure) {
    Token last = failure.currentToken;
    if (last == null || last.next == null) {
      return new VarveException(ErrorCode.SYNTAX_ERROR, "the statement cannot be parsed", failure);
    }
    // The parser looks ahead: the token that does not fit is the one after the longest match.
    int matched = 0;
    for (int[] sequence : failure.expectedTokenSequences) {
      matched = Math.max(matched, matches(sequence, last.next));
    }
    for (int i = 0; i < matched; i++) {
      last = last.next;
    }
    Token token = last.next;
    boolean atStart = last.image == null || last.image.isEmpty();
    return new VarveException(
        ErrorCode.SYNTAX_ERROR,
        message(token, atStart),
        position(last, token),
        hint(expected(failure, matched), last, token, atStart),
        failure);
  }

  private static int matches(int[] sequence, Token first) {
    int count = 0;
    for (Token token = first;
        count < sequence.length - 1
            && token != null
            && token.next != null
            && token.kind == sequence[count];
        token = token.next) {
      count++;
    }
    return count;
  }

  private static String message(Token token, boolean atStart) {
    return switch (token.kind) {
      case SqlGrammarConstants.EOF ->
          atStart ? "the statement is empty" : "syntax error at the end of the statement";
      case SqlGrammarConstants.QUOTE -> "the string that begins here does not end";
      case SqlGrammarConstants.DOUBLE_QUOTE -> "the quoted name that begins here does not end";
      default -> "syntax error at '" + token.image + "'";
    };
  }

  /** Where a token begins; the end of the text is right after its last token. */
  static SourcePosition position(Token last, Token token) {
    return token.kind == SqlGrammarConstants.EOF
        ? new SourcePosition(Math.max(1, last.endLine), last.endColumn + 1)
        : new SourcePosition(token.beginLine, token.beginColumn);
  }

  private static @Nullable String hint(
      List<String> expected, Token last, Token token, boolean atStart) {
    if (atStart) {
      String statement = Suggestions.nearest(token.image, STATEMENTS).orElse(null);
      return statement == null ? null : "did you mean " + statement + "?";
    }
    String meant = isWord(token.image) ? nearestKeyword(token.image, expected) : null;
    if (meant == null && isWord(last.image) && !isKeyword(last.image)) {
      String clause = Suggestions.nearest(last.image, CLAUSES).orElse(null);
      if (clause != null) {
        return "did you mean " + clause + " instead of '" + last.image + "'?";
      }
    }
    if (meant != null) {
      return "did you mean " + meant + "?";
    }
    return expected.isEmpty() || expected.size() > MAX_EXPECTED
        ? null
        : "expected " + String.join(" or ", expected);
  }

  private static @Nullable String nearestKeyword(String word, List<String> expected) {
    Set<String> allowed = new TreeSet<>(expected);
    allowed.retainAll(CLAUSES);
    return Suggestions.nearest(word, allowed).orElse(null);
  }

  private static boolean isWord(@Nullable String image) {
    return image != null && image.length() > 2 && image.chars().allMatch(Character::isLetter);
  }

  private static boolean isKeyword(String image) {
    return CLAUSES.contains(image.toUpperCase(Locale.ROOT));
  }

  /** The tokens that would have fitted, as a person writes them. */
  private static List<String> expected(ParseException failure, int matched) {
    Set<String> names = new TreeSet<>();
    for (int[] sequence : failure.expectedTokenSequences) {
      if (matches(sequence, failure.currentToken.next) != matched) {
        continue;
      }
      String image = failure.tokenImage[sequence[matched]];
      names.add(
          switch (image) {
            case "<EOF>" -> "the end";
            case "<IDENTIFIER>", "<QUOTED_IDENTIFIER>" -> "a name";
            case "<QUOTED_STRING>" -> "a string";
            case "<UNSIGNED_INTEGER_LITERAL>" -> "a number";
            default ->
                image.matches("\"[A-Z_]+\"")
                    ? image.substring(1, image.length() - 1)
                    : image.replace('"', '\'');
          });
    }
    if (names.contains("a name")) {
      // Every word that is not reserved is a name as well.
      names.removeIf(
          name -> name.length() > 1 && !CLAUSES.contains(name) && !name.equals("a name"));
    }
    return new ArrayList<>(names);
  }

  private static VarveException lexical(TokenMgrError failure) {
    String message = String.valueOf(failure.getMessage());
    int[] numbers =
        Arrays.stream(message.replaceAll("Encountered:.*", "").split("\\D+"))
            .filter(part -> !part.isEmpty() && part.length() < 10)
            .mapToInt(Integer::parseInt)
            .toArray();
    SourcePosition position =
        numbers.length >= 2
            ? new SourcePosition(Math.max(1, numbers[0]), Math.max(1, numbers[1]))
            : null;
    boolean open = message.contains("<EOF>");
    return new VarveException(
        ErrorCode.SYNTAX_ERROR,
        open
            ? "the text ends inside a string, a quoted name or a comment"
            : "a character that SQL does not know" + encountered(message),
        position,
        null,
        failure);
  }

  private static String encountered(String message) {
    int from = message.indexOf("Encountered: \"");
    int to = message.indexOf("\"", from + 14);
    return from < 0 || to < 0 ? "" : ": '" + message.substring(from + 14, to) + "'";
  }
}
