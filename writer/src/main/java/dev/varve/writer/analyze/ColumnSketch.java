package dev.varve.writer.analyze;

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
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The sketch of one column: each value that is not null as the bytes that Iceberg's single-value
 * serialization gives it. An entry of a dictionary is counted when a row first has it. Confined to
 * one task at a time.
 */
final class ColumnSketch {
  private final ThetaSketch sketch = new ThetaSketch();
  private @Nullable Column dictionary;
  private boolean[] counted = new boolean[0];

  ThetaSketch sketch() {
    return sketch;
  }

  void add(Column column) {
    switch (column) {
      case ConstantColumn constant -> addFlat(constant.single());
      case DictionaryColumn coded -> addCoded(coded);
      default -> addFlat(column);
    }
  }

  private void addCoded(DictionaryColumn coded) {
    if (dictionary != coded.dictionary()) {
      dictionary = coded.dictionary();
      counted = new boolean[coded.dictionary().length()];
    }
    int[] codes = coded.codes();
    byte[] validity = coded.validity();
    for (int i = coded.offset(); i < coded.offset() + coded.length(); i++) {
      if ((validity == null || validity[i] != 0) && !counted[codes[i]]) {
        counted[codes[i]] = true;
        addFlat(coded.dictionary().slice(codes[i], 1));
      }
    }
  }

  private void addFlat(Column column) {
    byte[] validity = column.validity();
    int from = column.offset();
    int to = from + column.length();
    for (int i = from; i < to; i++) {
      if (validity == null || validity[i] != 0) {
        addValue(column, i);
      }
    }
  }

  /** {@code at} is a position in the column's arrays. */
  private void addValue(Column column, int at) {
    switch (column) {
      case BooleanColumn c -> addBytes(new byte[] {c.values()[at]});
      case IntColumn c -> sketch.add(c.values()[at], Integer.BYTES);
      case FloatColumn c -> sketch.add(Float.floatToIntBits(c.values()[at]), Integer.BYTES);
      case DoubleColumn c -> sketch.add(Double.doubleToLongBits(c.values()[at]), Long.BYTES);
      case LongColumn c -> {
        long value = c.values()[at];
        if (column.type().isDecimal()) {
          addBytes(BigInteger.valueOf(value).toByteArray());
        } else {
          sketch.add(value, Long.BYTES);
        }
      }
      case Int128Column c ->
          addBytes(Int128Column.toBigInteger(c.high()[at], c.low()[at]).toByteArray());
      case BytesColumn c ->
          sketch.add(c.data(), c.offsets()[at], c.offsets()[at + 1] - c.offsets()[at]);
      case ConstantColumn _, DictionaryColumn _ ->
          throw new IllegalStateException("not flat: " + column.getClass());
    }
  }

  private void addBytes(byte[] bytes) {
    sketch.add(bytes, 0, bytes.length);
  }
}
