package dev.varve.service.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Cuts SQL into tokens, as far as is needed to tell words from what is in quotes. The tokens' texts
 * one after the other are the text that was cut.
 */
public final class SqlTokens {
  /** What a token is. */
  public enum Kind {
    WORD,
    NUMBER,
    /** In double quotes. */
    NAME,
    STRING,
    /** {@code $1}. */
    PARAMETER,
    SYMBOL,
    /** Space and comments. */
    SPACE
  }

  /** One token. */
  public record Token(Kind kind, String text) {
    /** A word in lower case; of other tokens the text. */
    public String folded() {
      return kind == Kind.WORD ? text.toLowerCase(Locale.ROOT) : text;
    }

    public boolean isWord(String word) {
      return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }

    public boolean isSymbol(String symbol) {
      return kind == Kind.SYMBOL && text.equals(symbol);
    }
  }

  private final String sql;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private SqlTokens(String sql) {
    this.sql = sql;
  }

  public static List<Token> of(String sql) {
    SqlTokens cutter = new SqlTokens(sql);
    while (cutter.at < sql.length()) {
      cutter.next();
    }
    return cutter.tokens;
  }

  /** The tokens that mean something. */
  public static List<Token> significant(String sql) {
    return of(sql).stream().filter(token -> token.kind() != Kind.SPACE).toList();
  }

  /** The statements of a script, at its semicolons; none of them is empty. */
  static List<String> statements(String script) {
    List<String> statements = new ArrayList<>();
    StringBuilder current = new StringBuilder();
    boolean empty = true;
    for (Token token : of(script)) {
      if (token.isSymbol(";")) {
        if (!empty) {
          statements.add(current.toString().strip());
        }
        current.setLength(0);
        empty = true;
      } else {
        current.append(token.text());
        empty &= token.kind() == Kind.SPACE;
      }
    }
    if (!empty) {
      statements.add(current.toString().strip());
    }
    return statements;
  }

  private void next() {
    int start = at;
    char c = sql.charAt(at);
    Kind kind;
    if (Character.isWhitespace(c)) {
      kind = Kind.SPACE;
      while (at < sql.length() && Character.isWhitespace(sql.charAt(at))) {
        at++;
      }
    } else if (sql.startsWith("--", at)) {
      kind = Kind.SPACE;
      at = after("\n", at + 2);
    } else if (sql.startsWith("/*", at)) {
      kind = Kind.SPACE;
      at = after("*/", at + 2);
    } else if (c == '\'') {
      kind = Kind.STRING;
      at = quoted('\'', at + 1, false);
    } else if ((c == 'e' || c == 'E') && sql.startsWith("'", at + 1)) {
      kind = Kind.STRING;
      at = quoted('\'', at + 2, true);
    } else if (c == '"') {
      kind = Kind.NAME;
      at = quoted('"', at + 1, false);
    } else if (c == '$' && at + 1 < sql.length() && Character.isDigit(sql.charAt(at + 1))) {
      kind = Kind.PARAMETER;
      at = whileIn(at + 1, Character::isDigit);
    } else if (Character.isLetter(c) || c == '_') {
      kind = Kind.WORD;
      at = whileIn(at, x -> Character.isLetterOrDigit(x) || x == '_' || x == '$');
    } else if (Character.isDigit(c)) {
      kind = Kind.NUMBER;
      at = whileIn(at, x -> Character.isLetterOrDigit(x) || x == '.');
    } else {
      kind = Kind.SYMBOL;
      at += sql.startsWith("::", at) ? 2 : 1;
    }
    tokens.add(new Token(kind, sql.substring(start, at)));
  }

  private interface CharTest {
    boolean holds(char c);
  }

  private int whileIn(int from, CharTest test) {
    int end = from;
    while (end < sql.length() && test.holds(sql.charAt(end))) {
      end++;
    }
    return end;
  }

  private int after(String what, int from) {
    int found = sql.indexOf(what, from);
    return found < 0 ? sql.length() : found + what.length();
  }

  private int quoted(char quote, int from, boolean escapes) {
    int i = from;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      if (escapes && c == '\\') {
        i += 2;
      } else if (c == quote && i + 1 < sql.length() && sql.charAt(i + 1) == quote) {
        i += 2;
      } else if (c == quote) {
        return i + 1;
      } else {
        i++;
      }
    }
    return sql.length();
  }
}
