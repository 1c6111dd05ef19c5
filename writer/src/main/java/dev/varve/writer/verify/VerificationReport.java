package dev.varve.writer.verify;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rows that a verification answers. Safe for concurrent use. */
final class VerificationReport {
  static final Schema SCHEMA =
      Schema.of(
          Field.of("file", DataType.VARCHAR, true),
          Field.of("ordering", DataType.VARCHAR, true),
          Field.of("before", DataType.VARCHAR, true),
          Field.of("after", DataType.VARCHAR, true),
          Field.of("rows_read", DataType.BIGINT, false),
          Field.of("detail", DataType.VARCHAR, false));

  /** Beside its texts. */
  private static final int LINE_BYTES = 200;

  /**
   * @param before trust that was known, null for none
   * @param after trust that is known now, null for none
   */
  record Line(
      @Nullable String file,
      @Nullable String ordering,
      @Nullable String before,
      @Nullable String after,
      long rowsRead,
      String detail) {}

  private final MemoryReservation memory;
  private final List<Line> lines = new ArrayList<>();

  VerificationReport(MemoryReservation memory) {
    this.memory = memory;
  }

  synchronized void add(Line line) {
    String file = line.file();
    memory.grow(LINE_BYTES + 2L * ((file == null ? 0 : file.length()) + line.detail().length()));
    lines.add(line);
  }

  static @Nullable String text(@Nullable Enum<?> trust) {
    return trust == null ? null : trust.name().toLowerCase(Locale.ROOT);
  }

  /** In the order of paths. */
  synchronized Batch toBatch() {
    lines.sort(
        Comparator.comparing(Line::file, Comparator.nullsLast(Comparator.naturalOrder()))
            .thenComparing(Line::ordering, Comparator.nullsLast(Comparator.naturalOrder())));
    List<ColumnBuilder> builders = new ArrayList<>();
    for (Field field : SCHEMA.fields()) {
      builders.add(ColumnBuilder.of(field.type(), lines.size()));
    }
    for (Line line : lines) {
      builders.get(0).append(line.file());
      builders.get(1).append(line.ordering());
      builders.get(2).append(line.before());
      builders.get(3).append(line.after());
      builders.get(4).appendLong(line.rowsRead());
      builders.get(5).appendString(line.detail());
    }
    List<Column> columns = new ArrayList<>();
    builders.forEach(builder -> columns.add(builder.build()));
    return new Batch(SCHEMA, columns, lines.size());
  }
}
