package dev.varve.service.shell;

import dev.varve.service.client.ResultPage.ResultColumn;
import tools.jackson.databind.JsonNode;

/** Values as text for people. */
final class Cells {
  private Cells() {}

  /** Not for nulls. */
  static String text(ResultColumn column, JsonNode value) {
    String text = value.isString() ? value.asString() : value.toString();
    return column.isTimestamp() ? text.replace('T', ' ') : text;
  }

  /** Control characters, which could drive the terminal, made visible; line breaks stay. */
  static String printable(String text) {
    if (text.chars().noneMatch(Cells::isControl)) {
      return text;
    }
    StringBuilder shown = new StringBuilder();
    text.chars()
        .forEach(
            c -> {
              if (c == '\t') {
                shown.append("    ");
              } else if (c != '\r' || !text.contains("\r\n")) {
                shown.append(isControl(c) ? String.format("\\x%02x", c) : (char) c);
              }
            });
    return shown.toString();
  }

  private static boolean isControl(int c) {
    return (c < ' ' && c != '\n') || (c >= 0x7f && c < 0xa0);
  }
}
