package dev.varve.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.key.KeyEncoder;
import dev.varve.engine.kernel.key.KeyLayout;
import dev.varve.engine.kernel.key.Neighbours;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where neighbours differ, against the encoded keys. */
class NeighboursTest {
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
  void rowsDifferWhereTheirEncodedKeysDo() {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("neighbours: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    RandomColumns data = new RandomColumns(seed);
    int same = 0;
    for (int round = 0; round < 2000; round++) {
      int rows = 1 + random.nextInt(40);
      List<Column> keys = new ArrayList<>();
      List<DataType> types = new ArrayList<>();
      for (int k = 0; k < 1 + random.nextInt(2); k++) {
        DataType type = TYPES.get(random.nextInt(TYPES.size()));
        types.add(type);
        // Runs of equal rows, as ordered input has them.
        int[] runs = new int[rows];
        for (int i = 1; i < rows; i++) {
          runs[i] = random.nextInt(3) == 0 ? random.nextInt(rows) : runs[i - 1];
        }
        RandomColumns.Encoding[] encodings = RandomColumns.Encoding.values();
        keys.add(
            data.column(
                    type,
                    rows,
                    encodings[random.nextInt(encodings.length)],
                    random.nextBoolean(),
                    random.nextBoolean())
                .take(runs, rows));
      }
      Column[] columns = keys.toArray(Column[]::new);
      RowKeys encoded = new KeyEncoder(KeyLayout.unordered(types)).encode(columns, rows);
      byte[] differs = new byte[rows];
      for (Column column : columns) {
        Neighbours.mark(column, rows, differs);
      }
      for (int i = 1; i < rows; i++) {
        boolean equal = encoded.equal(i - 1, encoded, i);
        same += equal ? 1 : 0;
        assertThat(differs[i]).as("row %d of %s", i, types).isEqualTo((byte) (equal ? 0 : 1));
        assertThat(Neighbours.areSame(columns, i, columns, i - 1)).isEqualTo(equal);
      }
    }
    assertThat(same).isGreaterThan(1000);
  }
}
