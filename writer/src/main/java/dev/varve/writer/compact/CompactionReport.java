package dev.varve.writer.compact;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;

/** The rows that a compaction answers. Confined to one task. */
final class CompactionReport {
  static final Schema SCHEMA =
      Schema.of(
          Field.of("files_before", DataType.BIGINT, false),
          Field.of("files_after", DataType.BIGINT, false),
          Field.of("rows", DataType.BIGINT, false),
          Field.of("bytes_read", DataType.BIGINT, false),
          Field.of("bytes_written", DataType.BIGINT, false),
          Field.of("overlap_depth_before", DataType.BIGINT, false),
          Field.of("overlap_depth_after", DataType.BIGINT, false),
          Field.of("sorted", DataType.BOOLEAN, false),
          Field.of("reason", DataType.VARCHAR, false));

  record Line(
      long filesBefore,
      long filesAfter,
      long rows,
      long bytesRead,
      long bytesWritten,
      long depthBefore,
      long depthAfter,
      boolean sorted,
      String reason) {}

  private final List<Line> lines = new ArrayList<>();

  void add(Line line) {
    lines.add(line);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Files that stay as they are. */
  void leftAlone(long files, long depth, boolean sorted, String reason) {
    lines.add(new Line(files, files, 0, 0, 0, depth, depth, sorted, reason));
  }

  Batch toBatch() {
    ColumnBuilder[] builders = new ColumnBuilder[SCHEMA.size()];
    for (int i = 0; i < builders.length; i++) {
      builders[i] = ColumnBuilder.of(SCHEMA.type(i), lines.size());
    }
    for (Line line : lines) {
      long[] numbers = {
        line.filesBefore(),
        line.filesAfter(),
        line.rows(),
        line.bytesRead(),
        line.bytesWritten(),
        line.depthBefore(),
        line.depthAfter()
      };
      for (int i = 0; i < numbers.length; i++) {
        builders[i].appendLong(numbers[i]);
      }
      builders[numbers.length].appendBoolean(line.sorted());
      builders[numbers.length + 1].appendString(line.reason());
    }
    List<Column> columns = new ArrayList<>();
    for (ColumnBuilder builder : builders) {
      columns.add(builder.build());
    }
    return new Batch(SCHEMA, columns, lines.size());
  }
}
