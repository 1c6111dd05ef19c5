package dev.varve.engine.sql;

/**
 * Statements that differ in white space, comments and the case of unquoted words only have the same
 * normalised text. What could be read in more than one way is left as it is to the end.
 */
public final class SqlText {
  private final String sql;
  private final StringBuilder out;
  private int at;

  private SqlText(String sql) {
    this.sql = sql;
    this.out = new StringBuilder(sql.length());
  }

  /** Not meant to be parsed: it only tells statements apart. */
  public static String normalize(String sql) {
    return new SqlText(sql).run();
  }

  private String run() {
    boolean space = false;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (Character.isWhitespace(c)) {
        space = true;
        at++;
      } else if (starts("--") || starts("//")) {
        skipLine();
        space = true;
      } else if (starts("/*") && !starts("/*+")) {
        skipComment();
        space = true;
      } else {
        if (space && !out.isEmpty()) {
          out.append(' ');
        }
        space = false;
        copy(c);
      }
    }
    int end = out.length();
    while (end > 0 && (out.charAt(end - 1) == ';' || out.charAt(end - 1) == ' ')) {
      end--;
    }
    return out.substring(0, end);
  }

  private boolean starts(String prefix) {
    return sql.startsWith(prefix, at);
  }

  private void skipLine() {
    while (at < sql.length() && sql.charAt(at) != '\n' && sql.charAt(at) != '\r') {
      at++;
    }
  }

  private void skipComment() {
    int end = sql.indexOf("*/", at + 2);
    int inner = sql.indexOf("/*", at + 2);
    if (end < 0 || (inner >= 0 && inner < end)) {
      copyRest();
    } else {
      at = end + 2;
    }
  }

  private void copyRest() {
    out.append(sql, at, sql.length());
    at = sql.length();
  }

  private void copy(char c) {
    boolean dollar = c == '$' && !(at + 1 < sql.length() && Character.isDigit(sql.charAt(at + 1)));
    if (c == '`' || dollar) {
      copyRest();
    } else if (c == '\'' || c == '"') {
      copyQuoted(c);
    } else {
      // The grammar folds other letters by rules of its own.
      out.append(c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c);
      at++;
    }
  }

  private void copyQuoted(char quote) {
    int end = sql.indexOf(quote, at + 1);
    int escape = sql.indexOf('\\', at + 1);
    if (end < 0 || (escape >= 0 && escape < end)) {
      copyRest();
    } else {
      out.append(sql, at, end + 1);
      at = end + 1;
    }
  }
}
