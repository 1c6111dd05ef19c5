package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import java.util.Arrays;

/** BOOL_AND and BOOL_OR. */
public final class BooleanAccumulator implements GroupAccumulator {
  private final boolean and;
  private byte[] seen = {};
  private byte[] decided = {};

  public BooleanAccumulator(boolean and) {
    this.and = and;
  }

  @Override
  public long bytesPerGroup() {
    return 2;
  }

  @Override
  public void resize(int groups) {
    seen = Arrays.copyOf(seen, groups);
    decided = Arrays.copyOf(decided, groups);
  }

  /** One false decides an AND, one true an OR. */
  @Override
  public void update(int[] groups, int count, Column[] arguments) {
    BooleanColumn column = (BooleanColumn) arguments[0].flat();
    byte[] validity = column.validity();
    int offset = column.offset();
    int flip = and ? 1 : 0;
    for (int i = 0; i < count; i++) {
      int valid = validity == null ? 1 : validity[offset + i];
      seen[groups[i]] |= (byte) valid;
      decided[groups[i]] |= (byte) ((column.values()[offset + i] ^ flip) & valid);
    }
  }

  @Override
  public void updateAll(int count, Column[] arguments) {
    update(new int[count], count, arguments);
  }

  @Override
  public void merge(int[] groups, int count, Column[] states) {
    update(groups, count, states);
  }

  @Override
  public Column[] state(int from, int count) {
    return new Column[] {result(from, count)};
  }

  @Override
  public Column result(int from, int count) {
    byte[] values = new byte[count];
    int flip = and ? 1 : 0;
    for (int i = 0; i < count; i++) {
      values[i] = (byte) (decided[from + i] ^ flip);
    }
    return new BooleanColumn(DataType.BOOLEAN, values, Seen.validity(seen, from, count));
  }

  @Override
  public void clear() {
    Arrays.fill(seen, (byte) 0);
    Arrays.fill(decided, (byte) 0);
  }
}
