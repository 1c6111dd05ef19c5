package dev.varve.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.key.KeyEncoder;
import dev.varve.engine.kernel.key.KeyLayout;
import dev.varve.engine.kernel.key.MergeKeys;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Keys side by side compare like encoded ones. */
class MergeKeysTest {
  private static final List<DataType> TYPES =
      List.of(
          DataType.BOOLEAN,
          DataType.INTEGER,
          DataType.BIGINT,
          DataType.REAL,
          DataType.DOUBLE,
          DataType.decimal(9, 2),
          DataType.decimal(30, 4),
          DataType.DATE,
          DataType.TIMESTAMP,
          DataType.VARCHAR);

  @Test
  void rowsCompareLikeTheirEncodedKeys() {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("merge keys: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    RandomColumns data = new RandomColumns(seed);
    int equal = 0;
    for (int round = 0; round < 1000; round++) {
      int keys = 1 + random.nextInt(3);
      List<DataType> types = new ArrayList<>();
      List<SortOptions> options = new ArrayList<>();
      for (int k = 0; k < keys; k++) {
        types.add(TYPES.get(random.nextInt(TYPES.size())));
        options.add(new SortOptions(random.nextBoolean(), random.nextBoolean()));
      }
      KeyLayout layout = new KeyLayout(types, options);
      Column[] left = columns(data, types, 20, random);
      Column[] right = columns(data, types, 25, random);
      RowKeys leftKeys = new KeyEncoder(layout).encode(left, 20);
      RowKeys rightKeys = new KeyEncoder(layout).encode(right, 25);
      MergeKeys a = MergeKeys.of(layout, left, 20);
      MergeKeys b = MergeKeys.of(layout, right, 25);
      for (int i = 0; i < 20; i++) {
        for (int j = 0; j < 25; j++) {
          int expected = Integer.signum(leftKeys.compare(i, rightKeys, j));
          equal += expected == 0 ? 1 : 0;
          assertThat(Integer.signum(a.compare(i, b, j)))
              .as("%s %s", types, options)
              .isEqualTo(expected);
          assertThat(a.equal(i, b, j)).isEqualTo(expected == 0);
        }
      }
    }
    assertThat(equal).isGreaterThan(1000);
  }

  private static Column[] columns(
      RandomColumns data, List<DataType> types, int rows, Random random) {
    return types.stream()
        .map(
            type ->
                data.column(
                    type, rows, data.encoding(), random.nextBoolean(), random.nextBoolean()))
        .toArray(Column[]::new);
  }
}
