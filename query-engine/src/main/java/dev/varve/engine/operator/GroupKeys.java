package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.kernel.key.KeyTable;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers the groups of batches. Where all keys are dictionary or constant encoded, a key is looked
 * up once for each combination of codes that occurs, not for each row. Confined to one task.
 */
final class GroupKeys {
  private static final int MAX_COMBINATIONS = 1 << 14;

  private final OrderingKeys keys;
  private final KeyTable table;
  private int[] combinations = {};
  private int[] representative = {};
  private int[] firstRows = {};
  private int[] firstIds = {};

  GroupKeys(List<NamedExpr> groupBy, TaskContext context) {
    this.keys = OrderingKeys.unordered(groupBy.stream().map(NamedExpr::expr).toList(), context);
    this.table =
        new KeyTable(
            keys.layout(),
            HashSeed.GROUP_TABLE,
            context.query().settings().get(EngineSettings.CONSTANT_HASH));
  }

  KeyTable table() {
    return table;
  }

  Column[] columns(Batch batch) {
    return keys.columns(batch);
  }

  /**
   * Writes the group of each row from {@code from} on; returns the first row that could not be
   * numbered because growth was refused, or the row count.
   */
  int assign(Column[] columns, int from, int count, int[] ids, KeyTable.Growth growth) {
    if (from == 0 && combine(columns, count)) {
      return assignCombinations(columns, count, ids, growth);
    }
    return table.insert(keys.encode(columns, count), from, ids, growth);
  }

  /** Numbers the rows' combinations of codes; false if there may be too many for this to pay. */
  private boolean combine(Column[] columns, int count) {
    long possible = 1;
    for (Column column : columns) {
      if (column instanceof DictionaryColumn coded) {
        possible *= coded.dictionary().length() + 1L;
      } else if (!(column instanceof ConstantColumn)) {
        return false;
      }
      if (possible > MAX_COMBINATIONS || possible > 2L * count) {
        return false;
      }
    }
    if (combinations.length < count) {
      combinations = new int[count];
      firstRows = new int[count];
      firstIds = new int[count];
    }
    Arrays.fill(combinations, 0, count, 0);
    for (Column column : columns) {
      if (column instanceof DictionaryColumn coded) {
        int base = coded.dictionary().length() + 1;
        int offset = coded.offset();
        byte[] validity = coded.validity();
        int[] codes = coded.codes();
        for (int i = 0; i < count; i++) {
          int code = validity == null || validity[offset + i] != 0 ? codes[offset + i] + 1 : 0;
          combinations[i] = combinations[i] * base + code;
        }
      }
    }
    representative = new int[(int) possible];
    return true;
  }

  private int assignCombinations(Column[] columns, int count, int[] ids, KeyTable.Growth growth) {
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      int combination = combinations[i];
      if (representative[combination] == 0) {
        firstRows[distinct++] = i;
        representative[combination] = distinct;
      }
    }
    Column[] taken = new Column[columns.length];
    for (int k = 0; k < columns.length; k++) {
      taken[k] = columns[k].take(firstRows, distinct);
    }
    RowKeys encoded = keys.encode(taken, distinct);
    int found = table.insert(encoded, 0, firstIds, growth);
    int handled = found == distinct ? count : firstRows[found];
    for (int i = 0; i < handled; i++) {
      ids[i] = firstIds[representative[combinations[i]] - 1];
    }
    return handled;
  }
}
