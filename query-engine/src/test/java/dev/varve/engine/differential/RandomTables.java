package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Three or four tables from a seed: {@code t0} has most rows. All have a column {@code k} of small
 * numbers, so that they join, and columns of any type with nulls and extremes.
 */
final class RandomTables {
  private static final DataType[] TYPES = {
    DataType.BOOLEAN,
    DataType.SMALLINT,
    DataType.INTEGER,
    DataType.INTEGER,
    DataType.BIGINT,
    DataType.BIGINT,
    DataType.REAL,
    DataType.DOUBLE,
    DataType.DOUBLE,
    DataType.decimal(5, 2),
    DataType.decimal(9, 0),
    DataType.decimal(15, 2),
    DataType.decimal(18, 4),
    DataType.decimal(38, 10),
    DataType.DATE,
    DataType.DATE,
    DataType.TIME,
    DataType.TIMESTAMP,
    DataType.TIMESTAMPTZ,
    DataType.VARCHAR,
    DataType.VARCHAR,
    DataType.VARCHAR,
    DataType.VARBINARY,
    DataType.UUID
  };
  private static final int[][] ROWS = {
    {0, 1, 30, 300, 300, 1200, 5000}, {0, 3, 20, 60, 60}, {0, 1, 5, 12}, {2, 8}
  };

  private final Random random;
  private final RandomValues values;
  private final TableFiles files;

  RandomTables(Random random, TableFiles files) {
    this.random = random;
    this.values = new RandomValues(random);
    this.files = files;
  }

  List<TestTable> next(Path folder) throws SQLException {
    List<TestTable> tables = new ArrayList<>();
    for (int i = 0; i < 3 + random.nextInt(2); i++) {
      int[] sizes = ROWS[i];
      int rows = sizes[random.nextInt(sizes.length)];
      String name = "t" + i;
      List<TestColumn> columns = columns();
      tables.add(files.write(folder, name, columns, rows(columns, rows), random));
    }
    return tables;
  }

  private List<TestColumn> columns() {
    List<TestColumn> columns = new ArrayList<>();
    columns.add(
        new TestColumn(
            "k",
            random.nextInt(4) == 0 ? DataType.BIGINT : DataType.INTEGER,
            RandomValues.TAME,
            random.nextBoolean()));
    int count = 3 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      DataType type = TYPES[random.nextInt(TYPES.length)];
      boolean wild = random.nextInt(3) == 0;
      columns.add(
          new TestColumn(
              "x" + i,
              type,
              wild ? Double.POSITIVE_INFINITY : RandomValues.TAME,
              random.nextInt(4) != 0));
    }
    return columns;
  }

  private List<List<@Nullable Object>> rows(List<TestColumn> columns, int count) {
    int[] nulls = new int[columns.size()];
    for (int i = 0; i < nulls.length; i++) {
      // Of a hundred; now and then a column has nothing else.
      nulls[i] =
          !columns.get(i).nullable() ? 0 : random.nextInt(12) == 0 ? 100 : random.nextInt(40);
    }
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int r = 0; r < count; r++) {
      List<@Nullable Object> row = new ArrayList<>();
      for (int c = 0; c < columns.size(); c++) {
        TestColumn column = columns.get(c);
        row.add(
            random.nextInt(100) < nulls[c]
                ? null
                : Double.isInfinite(column.bound())
                    ? values.wild(column.type())
                    : values.tame(column.type()));
      }
      rows.add(row);
    }
    return rows;
  }
}
