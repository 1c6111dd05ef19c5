package dev.varve.service.shell;

import dev.varve.service.client.ResultPage.ResultColumn;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import tools.jackson.databind.JsonNode;

/**
 * A table as people read it: numbers to the right, NULL told from text by its brackets. Column
 * widths are those of the first rows; a later value that is longer pushes its line out.
 */
final class TablePrinter implements ResultPrinter {
  /** Rows looked at before the widths are settled. */
  private static final int SAMPLE_ROWS = 2000;

  private static final int MAX_HEADER_INDENT = 20;

  static final String NULL = "[null]";

  private final PrintWriter out;
  private List<ResultColumn> columns = List.of();
  private int[] widths = {};
  private final List<List<String>> held = new ArrayList<>();
  private boolean settled;
  private long count;

  TablePrinter(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(List<ResultColumn> header) {
    columns = header;
    widths = header.stream().mapToInt(c -> width(Cells.printable(c.name()))).toArray();
  }

  @Override
  public void rows(List<JsonNode> rows) {
    for (JsonNode row : rows) {
      List<String> cells = new ArrayList<>(columns.size());
      for (int i = 0; i < columns.size(); i++) {
        JsonNode value = row.get(i);
        cells.add(value.isNull() ? NULL : Cells.printable(Cells.text(columns.get(i), value)));
      }
      count++;
      if (settled) {
        line(cells);
      } else {
        held.add(cells);
        for (int i = 0; i < cells.size(); i++) {
          for (String part : cells.get(i).split("\n", -1)) {
            widths[i] = Math.max(widths[i], width(part));
          }
        }
        if (held.size() >= SAMPLE_ROWS) {
          settle();
        }
      }
    }
  }

  @Override
  public void end() {
    if (!settled) {
      settle();
    }
    out.println(count == 1 ? "(1 row)" : "(" + count + " rows)");
    out.flush();
  }

  private void settle() {
    settled = true;
    StringBuilder header = new StringBuilder();
    StringBuilder rule = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      String name = Cells.printable(columns.get(i).name());
      int space = widths[i] - width(name);
      // In the middle of a wide column a name would be out of sight.
      int before = Math.min(space / 2, MAX_HEADER_INDENT);
      header
          .append(i == 0 ? " " : "| ")
          .append(" ".repeat(before))
          .append(name)
          .append(" ".repeat(space - before + 1));
      rule.append(i == 0 ? "" : "+").append("-".repeat(widths[i] + 2));
    }
    out.println(header.toString().stripTrailing());
    out.println(rule);
    held.forEach(this::line);
    held.clear();
  }

  /** A value of several lines takes as many lines of its cell. */
  private void line(List<String> cells) {
    List<String[]> parts = cells.stream().map(c -> c.split("\n", -1)).toList();
    int height = parts.stream().mapToInt(p -> p.length).max().orElse(1);
    for (int y = 0; y < height; y++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < parts.size(); i++) {
        String part = y < parts.get(i).length ? parts.get(i)[y] : "";
        String space = " ".repeat(Math.max(0, widths[i] - width(part)));
        line.append(i == 0 ? " " : "| ");
        line.append(columns.get(i).isNumber() ? space + part : part + space).append(' ');
      }
      out.println(line.toString().stripTrailing());
    }
  }

  private static int width(String text) {
    boolean ascii = text.chars().allMatch(c -> c < 0x7f);
    return ascii ? text.length() : new AttributedString(text).columnLength();
  }
}
