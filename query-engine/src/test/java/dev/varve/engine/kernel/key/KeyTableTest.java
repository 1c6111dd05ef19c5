package dev.varve.engine.kernel.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.kernel.RandomColumns;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The table against a map of boxed rows: same numbers, same keys back, exact bookkeeping. */
class KeyTableTest {
  private static final List<List<DataType>> KEYS =
      List.of(
          List.of(DataType.INTEGER),
          List.of(DataType.BIGINT),
          List.of(DataType.DOUBLE),
          List.of(DataType.INTEGER, DataType.DATE),
          List.of(DataType.BIGINT, DataType.BIGINT),
          List.of(DataType.BOOLEAN, DataType.REAL, DataType.SMALLINT, DataType.BOOLEAN),
          List.of(DataType.decimal(38, 10)),
          List.of(DataType.VARCHAR),
          List.of(DataType.VARCHAR, DataType.BIGINT),
          List.of(DataType.UUID));

  /** Grants a number of bytes and remembers what is held. */
  private static final class Budget implements KeyTable.Growth {
    private long left;
    private long held;

    private Budget(long bytes) {
      this.left = bytes;
    }

    @Override
    public boolean reserve(long bytes, int keys) {
      if (bytes > left) {
        return false;
      }
      left -= bytes;
      held += bytes;
      return true;
    }

    @Override
    public void release(long bytes) {
      left += bytes;
      held -= bytes;
    }
  }

  private static Column[] columns(
      RandomColumns data, List<DataType> types, int rows, boolean nulls) {
    return types.stream()
        .map(t -> data.column(t, rows, data.encoding(), nulls, data.random().nextInt(4) == 0))
        .toArray(Column[]::new);
  }

  private static List<@Nullable Object> row(Column[] columns, int row) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Column column : columns) {
      Object value = column.value(row);
      values.add(
          switch (value) {
            case Double d when d == 0 -> 0.0;
            case Float f when f == 0 -> 0.0f;
            case null -> null;
            default -> value;
          });
    }
    return values;
  }

  @Test
  void numbersKeysAsAMapDoes() {
    for (long seed = 0; seed < 200; seed++) {
      RandomColumns data = new RandomColumns(seed);
      List<DataType> types = KEYS.get((int) (seed % KEYS.size()));
      boolean nulls = data.random().nextBoolean();
      KeyLayout layout = KeyLayout.unordered(types).withNulls(nulls);
      KeyEncoder encoder = new KeyEncoder(layout);
      KeyTable table = new KeyTable(layout, seed, seed % 7 == 0);
      Budget budget = new Budget(Long.MAX_VALUE);
      Map<List<@Nullable Object>, Integer> oracle = new HashMap<>();
      List<List<@Nullable Object>> inOrder = new ArrayList<>();
      for (int batch = 0; batch < 8; batch++) {
        int rows = 1 + data.random().nextInt(400);
        Column[] columns = columns(data, types, rows, nulls);
        int[] ids = new int[rows];
        assertThat(table.insert(encoder.encode(columns, rows), 0, ids, budget)).isEqualTo(rows);
        for (int i = 0; i < rows; i++) {
          List<@Nullable Object> row = row(columns, i);
          if (!oracle.containsKey(row)) {
            oracle.put(row, inOrder.size());
            inOrder.add(row);
          }
          assertThat(ids[i]).as("seed %d, %s", seed, row).isEqualTo(oracle.get(row));
        }
        Column[] others = columns(data, types, rows, nulls);
        int[] found = new int[rows];
        table.find(encoder.encode(others, rows), found);
        for (int i = 0; i < rows; i++) {
          assertThat(found[i])
              .as("seed %d", seed)
              .isEqualTo(oracle.getOrDefault(row(others, i), -1));
        }
        assertThat(budget.held).isEqualTo(table.sizeInBytes());
      }
      Column[] back = table.columns(0, table.size());
      for (int i = 0; i < table.size(); i++) {
        assertThat(row(back, i)).as("seed %d", seed).isEqualTo(inOrder.get(i));
      }
      table.free(budget);
      assertThat(budget.held).isZero();
    }
  }

  @Test
  void aRefusalLeavesTheRowsBeforeItAndTheTableInOrder() {
    Random random = new Random(5);
    for (List<DataType> types : KEYS) {
      if (types.get(0).equals(DataType.BOOLEAN)) {
        continue;
      }
      KeyLayout layout = KeyLayout.unordered(types).withNulls(false);
      KeyEncoder encoder = new KeyEncoder(layout);
      KeyTable table = new KeyTable(layout, 1, false);
      Budget budget = new Budget(20_000);
      RandomColumns data = new RandomColumns(random.nextLong());
      int[] ids = new int[4_000];
      Column[] columns =
          types.stream()
              .map(t -> data.column(t, 4_000, RandomColumns.Encoding.FLAT, false, true))
              .toArray(Column[]::new);
      RowKeys keys = encoder.encode(columns, 4_000);
      int handled = table.insert(keys, 0, ids, budget);
      assertThat(table.size()).isEqualTo(Arrays.stream(ids, 0, handled).max().orElseThrow() + 1);
      assertThat(budget.held).isEqualTo(table.sizeInBytes());
      if (handled < 4_000) {
        budget.left = Long.MAX_VALUE / 2;
        assertThat(table.insert(keys, handled, ids, budget)).isEqualTo(4_000);
      }
      int[] again = new int[4_000];
      table.find(keys, again);
      assertThat(again).isEqualTo(ids);
    }
  }

  @Test
  void aLayoutWithoutNullsRefusesThem() {
    Column column = ColumnBuilder.of(DataType.INTEGER, 2).append(1).appendNull().build();
    KeyEncoder encoder =
        new KeyEncoder(KeyLayout.unordered(List.of(DataType.INTEGER)).withNulls(false));
    assertThatThrownBy(() -> encoder.encode(new Column[] {column}, 2))
        .isInstanceOf(IllegalStateException.class);
    assertThat(KeyLayout.unordered(List.of(DataType.BIGINT)).withNulls(false).shape())
        .isEqualTo(KeyLayout.Shape.LONG);
    assertThat(KeyLayout.unordered(List.of(DataType.VARCHAR)).withNulls(false).nulls()).isTrue();
  }
}
