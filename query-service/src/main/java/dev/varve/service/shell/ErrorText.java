package dev.varve.service.shell;

import dev.varve.service.client.ServerError;

/** An error under its statement's line, with a caret at its column. */
final class ErrorText {
  private ErrorText() {}

  /**
   * @param firstLine the line of the whole text in which the statement begins, from 1
   * @param firstColumn the column there; both 1 where the statement is the whole text
   */
  static String of(ServerError error, String sql, int firstLine, int firstColumn) {
    StringBuilder text =
        new StringBuilder("ERROR: ").append(Cells.printable(String.valueOf(error.getMessage())));
    String[] lines = sql.split("\n", -1);
    if (error.line() >= 1 && error.line() <= lines.length && error.column() >= 1) {
      String label = "LINE " + (firstLine + error.line() - 1) + ": ";
      String line = lines[error.line() - 1];
      int indent = error.line() == 1 ? firstColumn - 1 : 0;
      int caret = Math.min(error.column() - 1, line.length());
      StringBuilder space = new StringBuilder(" ".repeat(label.length()));
      for (int i = 0; i < caret; i++) {
        space.append(line.charAt(i) == '\t' ? '\t' : ' ');
      }
      text.append('\n').append(label).append(line).append('\n').append(space).append('^');
      if (firstLine > 1 || indent > 0) {
        text.append("\nat line ")
            .append(firstLine + error.line() - 1)
            .append(", column ")
            .append(indent + error.column());
      }
    }
    if (error.hint() != null) {
      text.append("\nHINT: ").append(Cells.printable(error.hint()));
    }
    return text.toString();
  }
}
