package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;

/** Numeric columns as doubles. */
final class Doubles {
  private Doubles() {}

  /** The values of rows [0, count); anything under a null. */
  static double[] of(Column flat, int count) {
    double[] out = new double[count];
    int offset = flat.offset();
    switch (flat) {
      case DoubleColumn column -> System.arraycopy(column.values(), offset, out, 0, count);
      case FloatColumn column -> {
        for (int i = 0; i < count; i++) {
          out[i] = column.values()[offset + i];
        }
      }
      case IntColumn column -> {
        for (int i = 0; i < count; i++) {
          out[i] = column.values()[offset + i];
        }
      }
      case LongColumn column -> {
        double divisor = Math.pow(10, column.type().scale());
        for (int i = 0; i < count; i++) {
          out[i] = column.values()[offset + i] / divisor;
        }
      }
      case Int128Column column -> {
        double divisor = Math.pow(10, column.type().scale());
        for (int i = 0; i < count; i++) {
          out[i] = column.get(i).doubleValue() / divisor;
        }
      }
      default -> throw new IllegalStateException("not a number: " + flat.type());
    }
    return out;
  }
}
