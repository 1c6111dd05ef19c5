package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Batches from values. */
final class Batches {
  private Batches() {}

  /** One list of values for each column. */
  @SafeVarargs
  static Batch of(Schema schema, List<? extends @Nullable Object>... columns) {
    List<Column> built = new ArrayList<>();
    for (int c = 0; c < columns.length; c++) {
      ColumnBuilder builder = ColumnBuilder.of(schema.type(c), columns[c].size());
      columns[c].forEach(builder::append);
      built.add(builder.build());
    }
    return new Batch(schema, built, columns[0].size());
  }

  static List<@Nullable Object> values(@Nullable Object... values) {
    return Arrays.asList(values);
  }
}
