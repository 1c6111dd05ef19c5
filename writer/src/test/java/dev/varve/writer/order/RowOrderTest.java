package dev.varve.writer.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyWriter;
import dev.varve.writer.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The typed comparison against the encoding, which is the order that counts. */
class RowOrderTest {
  @Test
  void findsExactlyTheFirstRowWhoseEncodedKeyIsSmallerThanTheOneBefore() {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 400; round++) {
      Schema schema = schema(random);
      List<ColumnOrder> ordering = ordering(schema, random);
      RowKeys keys = new RowKeys(ordering, schema);
      int rows = 1 + random.nextInt(60);
      Batch batch = sortedButFor(random, schema, keys, rows);
      Batch encoded = Samples.encoded(batch, random);
      int cut = random.nextInt(rows + 1);
      RowOrder order = new RowOrder(ordering, keys);
      int found = order.check(encoded.slice(0, cut));
      if (found < 0) {
        int second = order.check(encoded.slice(cut, rows - cut));
        found = second < 0 ? -1 : cut + second;
      }
      int expected = -1;
      KeyWriter writer = new KeyWriter();
      for (int row = 1; row < rows && expected < 0; row++) {
        if (keys.encode(batch, row - 1, writer).compareTo(keys.encode(batch, row, writer)) > 0) {
          expected = row;
        }
      }
      assertThat(found).as("round %d, %s by %s", round, schema, ordering).isEqualTo(expected);
      if (found < 0) {
        assertThat(order.firstKey()).isEqualTo(keys.encode(batch, 0, writer));
        assertThat(order.lastKey()).isEqualTo(keys.encode(batch, rows - 1, writer));
      }
    }
  }

  /** Rows in order, mostly; few distinct values so that later keys matter. */
  private static Batch sortedButFor(Random random, Schema schema, RowKeys keys, int rows) {
    Batch pool = Samples.batch(schema, random, Math.max(2, rows / 3));
    int[] picks = new int[rows];
    for (int i = 0; i < rows; i++) {
      picks[i] = random.nextInt(pool.rowCount());
    }
    Batch drawn = pool.take(picks, rows);
    List<Integer> order = new ArrayList<>();
    List<EncodedKey> encoded = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      order.add(i);
      encoded.add(keys.encode(drawn, i, new KeyWriter()));
    }
    order.sort((a, b) -> encoded.get(a).compareTo(encoded.get(b)));
    if (rows > 1 && random.nextBoolean()) {
      int at = random.nextInt(rows - 1);
      java.util.Collections.swap(order, at, at + 1);
    }
    return drawn.take(order.stream().mapToInt(Integer::intValue).toArray(), rows);
  }

  private static Schema schema(Random random) {
    List<Field> fields = new ArrayList<>();
    int width = 1 + random.nextInt(3);
    for (int i = 0; i < width; i++) {
      DataType type = Samples.TYPES.get(random.nextInt(Samples.TYPES.size()));
      fields.add(new Field("c" + i, type, true, i + 1));
    }
    return new Schema(fields);
  }

  private static List<ColumnOrder> ordering(Schema schema, Random random) {
    List<ColumnOrder> ordering = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      ordering.add(new ColumnOrder(i, new SortOptions(random.nextBoolean(), random.nextBoolean())));
    }
    return ordering;
  }

  @Test
  void longsWithoutNullsGoThroughTheFastPath() {
    Schema schema = Schema.of(new Field("k", DataType.BIGINT, false, 1));
    for (boolean descending : new boolean[] {false, true}) {
      List<ColumnOrder> ordering = List.of(new ColumnOrder(0, new SortOptions(descending, false)));
      ColumnBuilder builder = ColumnBuilder.of(DataType.BIGINT, 100);
      for (int i = 0; i < 100; i++) {
        builder.appendLong(descending ? -(i / 2) : i / 2);
      }
      builder.appendLong(descending ? 0 : -1);
      Batch batch = new Batch(schema, List.of(builder.build()), 101);
      RowOrder order = new RowOrder(ordering, new RowKeys(ordering, schema));
      assertThat(order.check(batch.slice(0, 100))).isEqualTo(-1);
      assertThat(order.check(batch.slice(100, 1))).isZero();
      assertThat(new RowOrder(ordering, new RowKeys(ordering, schema)).check(batch)).isEqualTo(100);
    }
  }
}
