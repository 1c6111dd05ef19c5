package dev.varve.engine.operator;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.kernel.gather.Gather;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.kernel.key.KeyEncoder;
import dev.varve.engine.kernel.key.KeyLayout;
import dev.varve.engine.kernel.key.KeyTable;
import dev.varve.engine.type.DataType;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the distinct values of one key column. The numbers of a dictionary's entries are kept as
 * long as batches come with the same dictionary. Confined to one task.
 */
final class Interned {
  private final KeyEncoder encoder;
  private final KeyTable table;
  private @Nullable Column dictionary;
  private int[] dictionaryNumbers = {};
  private @Nullable Column values;

  Interned(DataType type, boolean constantHash) {
    KeyLayout layout = KeyLayout.unordered(List.of(type));
    this.encoder = new KeyEncoder(layout);
    this.table = new KeyTable(layout, HashSeed.GROUP_TABLE, constantHash);
  }

  /** The number of each row's value, null where it is null; null if growth was refused. */
  @Nullable Column numbers(Column column, KeyTable.Growth growth) {
    if (column instanceof ConstantColumn constant) {
      Column single = numbers(constant.single(), growth);
      return single == null ? null : new ConstantColumn(single, column.length());
    }
    int count = column.length();
    int offset = column.offset();
    byte[] mask = column.validity();
    byte[] validity = mask == null ? null : Arrays.copyOfRange(mask, offset, offset + count);
    int[] numbers = new int[count];
    if (column instanceof DictionaryColumn coded
        && (coded.dictionary() == dictionary || coded.dictionary().length() <= count)) {
      if (!number(coded.dictionary(), growth)) {
        return null;
      }
      int[] codes = coded.codes();
      for (int i = 0; i < count; i++) {
        if (validity == null || validity[i] != 0) {
          numbers[i] = dictionaryNumbers[codes[offset + i]];
        }
      }
    } else if (!insert(column, numbers, growth)) {
      return null;
    }
    return new IntColumn(DataType.INTEGER, numbers, validity);
  }

  private boolean number(Column entries, KeyTable.Growth growth) {
    if (entries != dictionary) {
      int[] numbers = new int[entries.length()];
      if (!insert(entries, numbers, growth)) {
        return false;
      }
      dictionary = entries;
      dictionaryNumbers = numbers;
    }
    return true;
  }

  private boolean insert(Column column, int[] numbers, KeyTable.Growth growth) {
    values = null;
    KeyTable.Growth own = growthOfOwn(growth);
    int count = column.length();
    return table.insert(encoder.encode(new Column[] {column}, count), 0, numbers, own) == count;
  }

  /** Growth of a table beside that of the groups: room for its keys is not room for groups. */
  static KeyTable.Growth growthOfOwn(KeyTable.Growth groups) {
    return new OwnGrowth(groups);
  }

  /** Growth of this table, which says nothing about the number of groups. */
  private record OwnGrowth(KeyTable.Growth groups) implements KeyTable.Growth {
    @Override
    public boolean reserve(long bytes, int keys) {
      return groups.reserve(bytes, 0);
    }

    @Override
    public void release(long bytes) {
      groups.release(bytes);
    }
  }

  /** The values of numbers: as a dictionary column where that is no larger than the values. */
  Column restore(IntColumn numbers) {
    Column all = values;
    if (all == null) {
      all = withoutNulls();
      values = all;
    }
    int count = numbers.length();
    int[] codes = new int[count];
    for (int i = 0; i < count; i++) {
      codes[i] = numbers.isNull(i) ? -1 : numbers.get(i);
    }
    if (all.length() == 0 || all.length() > count) {
      return all.take(codes, count);
    }
    for (int i = 0; i < count; i++) {
      codes[i] = Math.max(codes[i], 0);
    }
    return new DictionaryColumn(all, codes, 0, count, numbers.validity());
  }

  /** All values by number. Nulls have a number too, whose value nobody asks for. */
  private Column withoutNulls() {
    Column all = table.columns(0, table.size())[0];
    return all.mayHaveNulls() ? Gather.ignoringNulls(all) : all;
  }

  void clear() {
    table.clear();
    forget();
  }

  void free(KeyTable.Growth growth) {
    table.free(growth);
    forget();
  }

  private void forget() {
    dictionary = null;
    dictionaryNumbers = new int[0];
    values = null;
  }
}
