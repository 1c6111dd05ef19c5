package dev.varve.engine.sql;

import java.util.ArrayList;
import java.util.List;

/** Cuts a script at the semicolons outside strings, quoted names and comments. */
final class ScriptSplitter {
  /** One statement's text without its semicolon, and where it begins in the script. */
  record Piece(String text, int line, int column) {}

  private final String script;
  private final List<Piece> pieces = new ArrayList<>();
  private int at;
  private int start = -1;

  private ScriptSplitter(String script) {
    this.script = script;
  }

  static List<Piece> split(String script) {
    ScriptSplitter splitter = new ScriptSplitter(script);
    splitter.run();
    return splitter.pieces;
  }

  private void run() {
    while (at < script.length()) {
      char c = script.charAt(at);
      if (c == ';') {
        cut(at);
        at++;
      } else if (Character.isWhitespace(c)) {
        at++;
      } else if (script.startsWith("--", at)) {
        at = endOf("\n", at + 2);
      } else if (script.startsWith("/*", at)) {
        at = endOf("*/", at + 2);
      } else {
        begin();
        if (c == '\'') {
          at = endOfQuoted('\'', at > 0 && (script.charAt(at - 1) | 0x20) == 'e');
        } else if (c == '"') {
          at = endOfQuoted('"', false);
        } else {
          at++;
        }
      }
    }
    cut(script.length());
  }

  private void begin() {
    if (start < 0) {
      start = at;
    }
  }

  private void cut(int end) {
    if (start >= 0) {
      String before = script.substring(0, start);
      int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
      pieces.add(
          new Piece(
              script.substring(start, end).stripTrailing(),
              line,
              start - before.lastIndexOf('\n')));
    }
    start = -1;
  }

  private int endOf(String terminator, int from) {
    int found = script.indexOf(terminator, from);
    return found < 0 ? script.length() : found + terminator.length();
  }

  /** A doubled quote is two quoted texts in a row, which ends at the same place. */
  private int endOfQuoted(char quote, boolean backslashes) {
    int i = at + 1;
    while (i < script.length() && script.charAt(i) != quote) {
      i += backslashes && script.charAt(i) == '\\' ? 2 : 1;
    }
    return Math.min(i + 1, script.length());
  }
}
