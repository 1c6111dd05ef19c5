package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Arrays;

/** Aggregates that keep one of the group's values: MIN, MAX, ANY_VALUE, SINGLE_VALUE. */
public final class ValueAccumulator implements GroupAccumulator {
  /** Which value is kept. */
  public enum Choice {
    LEAST,
    GREATEST,
    FIRST,
    /** The only one: a second row is an error. */
    ONLY
  }

  private final Choice choice;
  private final GroupValues values;
  private long[] rows = {};

  public ValueAccumulator(DataType type, Choice choice) {
    this.choice = choice;
    this.values = GroupValues.of(type);
  }

  @Override
  public long bytesPerGroup() {
    return values.bytesPerGroup() + (choice == Choice.ONLY ? 8 : 0);
  }

  @Override
  public void resize(int groups) {
    values.resize(groups);
    if (choice == Choice.ONLY) {
      rows = Arrays.copyOf(rows, groups);
    }
  }

  @Override
  public void update(int[] groups, int count, Column[] arguments) {
    offer(groups, count, arguments[0]);
    if (choice == Choice.ONLY) {
      for (int i = 0; i < count; i++) {
        rows[groups[i]]++;
      }
    }
  }

  private void offer(int[] groups, int count, Column column) {
    Column flat = column.flat();
    switch (choice) {
      case LEAST -> values.least(groups, count, flat);
      case GREATEST -> values.greatest(groups, count, flat);
      case FIRST, ONLY -> values.first(groups, count, flat);
    }
  }

  @Override
  public void updateAll(int count, Column[] arguments) {
    update(new int[count], count, arguments);
  }

  @Override
  public void merge(int[] groups, int count, Column[] states) {
    offer(groups, count, states[0]);
    if (choice == Choice.ONLY) {
      LongColumn stateRows = (LongColumn) states[1].flat();
      for (int i = 0; i < count; i++) {
        rows[groups[i]] += stateRows.get(i);
      }
    }
  }

  @Override
  public Column[] state(int from, int count) {
    Column kept = values.column(from, count);
    return choice == Choice.ONLY
        ? new Column[] {
          kept, new LongColumn(DataType.BIGINT, Arrays.copyOfRange(rows, from, from + count), null)
        }
        : new Column[] {kept};
  }

  @Override
  public Column result(int from, int count) {
    if (choice == Choice.ONLY) {
      for (int g = from; g < from + count; g++) {
        if (rows[g] > 1) {
          throw new VarveException(
              ErrorCode.CARDINALITY_VIOLATION,
              "more than one row returned by a subquery used as an expression: " + rows[g]);
        }
      }
    }
    return values.column(from, count);
  }

  @Override
  public void clear() {
    values.clear();
    Arrays.fill(rows, 0);
  }

  @Override
  public long varyingBytes() {
    return values.varyingBytes();
  }
}
