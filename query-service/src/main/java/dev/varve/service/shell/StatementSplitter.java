package dev.varve.service.shell;

import java.util.ArrayList;
import java.util.List;

/** Cuts a text into statements at semicolons that are not in strings, quoted names or comments. */
final class StatementSplitter {
  /**
   * A statement without its semicolon.
   *
   * @param line and
   * @param column where it begins in the whole text, from 1
   */
  record Statement(String text, int line, int column) {}

  /**
   * @param statements those that are complete
   * @param rest what follows the last semicolon; blank if only spaces and comments
   * @param open whether the rest ends inside a string, quoted name or comment
   */
  record Split(List<Statement> statements, Statement rest, boolean open) {}

  private final String text;
  private int at;
  private int line = 1;
  private int column = 1;

  private StatementSplitter(String text) {
    this.text = text;
  }

  static Split split(String text) {
    return new StatementSplitter(text).run();
  }

  private Split run() {
    List<Statement> statements = new ArrayList<>();
    boolean open = false;
    int start = -1;
    int startLine = 1;
    int startColumn = 1;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (text.startsWith("--", at)) {
        skipLine();
        continue;
      }
      if (text.startsWith("/*", at)) {
        open = !skipComment();
        continue;
      }
      if (start < 0 && c != ';' && !Character.isWhitespace(c)) {
        start = at;
        startLine = line;
        startColumn = column;
      }
      if (c == '\'' || c == '"') {
        open = !skipQuoted(c);
      } else if (c == ';') {
        if (start >= 0) {
          statements.add(new Statement(text.substring(start, at), startLine, startColumn));
          start = -1;
        }
        advance();
      } else {
        advance();
      }
    }
    String rest = start < 0 ? "" : text.substring(start);
    return new Split(statements, new Statement(rest, startLine, startColumn), open);
  }

  private void advance() {
    if (text.charAt(at++) == '\n') {
      line++;
      column = 1;
    } else {
      column++;
    }
  }

  private void skipLine() {
    while (at < text.length() && text.charAt(at) != '\n') {
      advance();
    }
  }

  /** A comment may hold comments; false if it does not end. */
  private boolean skipComment() {
    int depth = 0;
    while (at < text.length()) {
      if (text.startsWith("/*", at)) {
        depth++;
        advance();
        advance();
      } else if (text.startsWith("*/", at)) {
        depth--;
        advance();
        advance();
        if (depth == 0) {
          return true;
        }
      } else {
        advance();
      }
    }
    return false;
  }

  /** A doubled quote is a quote inside; false if the text ends before the quote. */
  private boolean skipQuoted(char quote) {
    advance();
    while (at < text.length()) {
      if (text.charAt(at) != quote) {
        advance();
      } else if (at + 1 < text.length() && text.charAt(at + 1) == quote) {
        advance();
        advance();
      } else {
        advance();
        return true;
      }
    }
    return false;
  }
}
