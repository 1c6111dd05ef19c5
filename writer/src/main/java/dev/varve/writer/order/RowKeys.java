package dev.varve.writer.order;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.type.Schema;
import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding.Part;
import dev.varve.layout.key.KeyWriter;
import java.util.ArrayList;
import java.util.List;

/** Sort keys of rows. Immutable. */
public final class RowKeys {
  private final int[] columns;
  private final List<Part> parts;

  public RowKeys(List<ColumnOrder> ordering, Schema schema) {
    this.columns = ordering.stream().mapToInt(ColumnOrder::column).toArray();
    List<Part> keyParts = new ArrayList<>();
    for (ColumnOrder order : ordering) {
      keyParts.add(
          new Part(
              KeyTypes.of(schema.type(order.column())),
              order.options().descending() ? SortDirection.DESC : SortDirection.ASC,
              order.options().nullsFirst() ? NullOrder.NULLS_FIRST : NullOrder.NULLS_LAST));
    }
    this.parts = List.copyOf(keyParts);
  }

  /** The key columns of one row, in arrays of their own. */
  Batch keyColumns(Batch batch, int row) {
    return batch.select(columns).take(new int[] {row}, 1);
  }

  EncodedKey encode(Batch batch, int row, KeyWriter writer) {
    writer.reset();
    for (int k = 0; k < columns.length; k++) {
      append(writer, parts.get(k), batch.column(columns[k]), row);
    }
    return writer.toKey();
  }

  /** The key of what {@link #keyColumns} gave. */
  EncodedKey encodeKeyColumns(Batch keyColumns, KeyWriter writer) {
    writer.reset();
    for (int k = 0; k < columns.length; k++) {
      append(writer, parts.get(k), keyColumns.column(k), 0);
    }
    return writer.toKey();
  }

  String describe(Batch batch, int row, boolean keyColumns) {
    StringBuilder text = new StringBuilder("(");
    for (int k = 0; k < columns.length; k++) {
      Column column = batch.column(keyColumns ? k : columns[k]);
      text.append(k == 0 ? "" : ", ").append(column.value(row));
    }
    return text.append(')').toString();
  }

  static void append(KeyWriter writer, Part part, Column column, int row) {
    if (column.isNull(row)) {
      writer.appendNull(part);
      return;
    }
    switch (column) {
      case BooleanColumn booleans -> writer.appendBoolean(part, booleans.get(row) != 0);
      case IntColumn ints -> writer.appendLong(part, ints.get(row));
      case LongColumn longs -> {
        if (column.type().isDecimal()) {
          writer.appendDecimal(part, longs.get(row));
        } else {
          writer.appendLong(part, longs.get(row));
        }
      }
      case Int128Column wide ->
          writer.appendDecimal(
              part, wide.high()[wide.offset() + row], wide.low()[wide.offset() + row]);
      case FloatColumn floats -> writer.appendDouble(part, floats.get(row));
      case DoubleColumn doubles -> writer.appendDouble(part, doubles.get(row));
      case BytesColumn bytes ->
          writer.appendBytes(
              part, bytes.data(), bytes.start(row), bytes.end(row) - bytes.start(row));
      case DictionaryColumn encoded ->
          append(writer, part, encoded.dictionary(), encoded.codes()[encoded.offset() + row]);
      case ConstantColumn constant -> append(writer, part, constant.single(), 0);
    }
  }
}
