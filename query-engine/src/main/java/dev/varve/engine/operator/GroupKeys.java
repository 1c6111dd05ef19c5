package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.kernel.key.KeyEncoder;
import dev.varve.engine.kernel.key.KeyLayout;
import dev.varve.engine.kernel.key.KeyTable;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the groups of batches. Where all keys are dictionary or constant encoded, a key is looked
 * up once for each combination of codes that occurs, not for each row. Of several keys those of
 * varying length are numbered by themselves first, so that the keys together have a fixed length.
 * Keys are held without room for nulls until one comes. Confined to one task.
 */
final class GroupKeys {
  private static final int MAX_COMBINATIONS = 1 << 14;
  private static final int REBUILD_ROWS = 8192;

  private final List<PhysicalExpr> expressions;
  private final @Nullable Interned[] interned;
  private final TaskContext context;
  private final boolean constantHash;
  private KeyEncoder encoder;
  private KeyTable table;
  private int[] combinations = {};
  private int[] representative = {};
  private int[] firstRows = {};
  private int[] firstIds = {};

  GroupKeys(List<NamedExpr> groupBy, TaskContext context) {
    this.context = context;
    this.expressions = groupBy.stream().map(NamedExpr::expr).toList();
    this.interned = new Interned[expressions.size()];
    this.constantHash = context.query().settings().get(EngineSettings.CONSTANT_HASH);
    List<DataType> types = new ArrayList<>();
    for (int k = 0; k < interned.length; k++) {
      DataType type = expressions.get(k).type();
      boolean varies = type.kind() == TypeKind.VARCHAR || type.kind() == TypeKind.VARBINARY;
      if (varies && interned.length > 1) {
        interned[k] = new Interned(type, constantHash);
        types.add(DataType.INTEGER);
      } else {
        types.add(type);
      }
    }
    KeyLayout layout = KeyLayout.unordered(types).withNulls(false);
    this.encoder = new KeyEncoder(layout);
    this.table = new KeyTable(layout, HashSeed.GROUP_TABLE, constantHash);
  }

  int size() {
    return table.size();
  }

  /** The key columns of a batch. */
  Column[] columns(Batch batch) {
    Column[] columns = new Column[expressions.size()];
    for (int k = 0; k < columns.length; k++) {
      columns[k] = expressions.get(k).evaluate(batch, context.query().eval());
    }
    return columns;
  }

  /** The key columns of groups [from, from + count). */
  Column[] groups(int from, int count) {
    Column[] columns = table.columns(from, count);
    for (int k = 0; k < columns.length; k++) {
      Interned values = interned[k];
      if (values != null) {
        columns[k] = values.restore((IntColumn) columns[k]);
      }
    }
    return columns;
  }

  /** Forgets all groups; memory is kept. */
  void clear() {
    table.clear();
    for (Interned values : interned) {
      if (values != null) {
        values.clear();
      }
    }
  }

  /** Forgets all groups and gives their memory back. */
  void free(KeyTable.Growth growth) {
    table.free(growth);
    for (Interned values : interned) {
      if (values != null) {
        values.free(growth);
      }
    }
  }

  /**
   * Writes the group of each row from {@code from} on; returns the first row that could not be
   * numbered because growth was refused, or the row count.
   */
  int assign(Column[] columns, int from, int count, int[] ids, KeyTable.Growth growth) {
    if (from == 0 && combine(columns, count)) {
      return assignCombinations(columns, count, ids, growth);
    }
    RowKeys keys = encode(columns, count, growth);
    return keys == null ? from : table.insert(keys, from, ids, growth);
  }

  /** The rows' keys; null if growth was refused. */
  private @Nullable RowKeys encode(Column[] columns, int count, KeyTable.Growth growth) {
    Column[] fixed = columns.clone();
    for (int k = 0; k < fixed.length; k++) {
      Interned values = interned[k];
      if (values != null) {
        Column numbers = values.numbers(columns[k], growth);
        if (numbers == null) {
          return null;
        }
        fixed[k] = numbers;
      }
    }
    return table.layout().nulls() || !anyNull(fixed) || rebuildWithNulls(growth)
        ? encoder.encode(fixed, count)
        : null;
  }

  private static boolean anyNull(Column[] columns) {
    for (Column column : columns) {
      if (column.mayHaveNulls() && column.nullCount() > 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * The same groups, by the same numbers, in keys that can be null; false if growth was refused.
   */
  private boolean rebuildWithNulls(KeyTable.Growth growth) {
    KeyLayout layout = table.layout().withNulls(true);
    KeyEncoder encoderWithNulls = new KeyEncoder(layout);
    KeyTable rebuilt = new KeyTable(layout, HashSeed.GROUP_TABLE, constantHash);
    KeyTable.Growth own = Interned.growthOfOwn(growth);
    int[] ids = new int[Math.min(REBUILD_ROWS, table.size())];
    for (int from = 0; from < table.size(); from += REBUILD_ROWS) {
      int count = Math.min(REBUILD_ROWS, table.size() - from);
      RowKeys keys = encoderWithNulls.encode(table.columns(from, count), count);
      if (rebuilt.insert(keys, 0, ids, own) < count) {
        rebuilt.free(own);
        return false;
      }
    }
    table.free(own);
    table = rebuilt;
    encoder = encoderWithNulls;
    return true;
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
    RowKeys keys = encode(taken, distinct, growth);
    int found = keys == null ? 0 : table.insert(keys, 0, firstIds, growth);
    int handled = found == distinct ? count : firstRows[found];
    for (int i = 0; i < handled; i++) {
      ids[i] = firstIds[representative[combinations[i]] - 1];
    }
    return handled;
  }
}
