package dev.varve.bench.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ArrowWriterTest {
  private final BufferAllocator allocator = new RootAllocator();

  @AfterEach
  void nothingIsLeaked() {
    assertThat(allocator.getAllocatedMemory()).isZero();
    allocator.close();
  }

  @Test
  void fixedWidthValuesAndNullsArrive() {
    assertThat(written(ints(DataType.INTEGER, 1, null, -3))).containsExactly(1, null, -3);
    assertThat(written(ints(DataType.SMALLINT, 7, null))).containsExactly((short) 7, (Object) null);
    assertThat(written(longs(DataType.BIGINT, Long.MIN_VALUE, null, 5L)))
        .containsExactly(Long.MIN_VALUE, null, 5L);
    assertThat(written(longs(DataType.INTERVAL_DAY, 1_000_000L)))
        .containsExactly(Duration.ofSeconds(1));
    assertThat(written(longs(DataType.TIMESTAMP, 1_000_001L)))
        .containsExactly(LocalDateTime.of(1970, 1, 1, 0, 0, 1, 1000));
    assertThat(
            written(ColumnBuilder.of(DataType.DOUBLE, 2).appendDouble(-0.5).appendNull().build()))
        .containsExactly(-0.5, (Object) null);
    assertThat(written(ColumnBuilder.of(DataType.REAL, 1).appendFloat(1.5f).build()))
        .containsExactly(1.5f);
  }

  @Test
  void decimalsOfBothWidthsKeepSignAndScale() {
    assertThat(written(longs(DataType.decimal(15, 2), -12345L, 7L, null)))
        .containsExactly(new BigDecimal("-123.45"), new BigDecimal("0.07"), null);
    Column wide =
        ColumnBuilder.of(DataType.decimal(38, 4), 2)
            .appendInt128(-1, -10_001)
            .appendInt128(1, 0)
            .build();
    assertThat(written(wide))
        .containsExactly(new BigDecimal("-1.0001"), new BigDecimal("1844674407370955.1616"));
  }

  @Test
  void booleansAcrossBytesOfBits() {
    ColumnBuilder builder = ColumnBuilder.of(DataType.BOOLEAN, 20);
    List<@Nullable Object> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      if (i % 7 == 3) {
        builder.appendNull();
        expected.add(null);
      } else {
        builder.appendBoolean(i % 3 == 0);
        expected.add(i % 3 == 0);
      }
    }
    Column column = builder.build();
    assertThat(written(column)).isEqualTo(expected);
    assertThat(written(column.slice(3, 15))).isEqualTo(expected.subList(3, 18));
  }

  @Test
  void stringsOfASliceStartAtZero() {
    Column column =
        ColumnBuilder.of(DataType.VARCHAR, 4)
            .appendString("ab")
            .appendString("")
            .appendNull()
            .appendString("ä")
            .build();
    assertThat(written(column)).containsExactly(new Text("ab"), new Text(""), null, new Text("ä"));
    assertThat(written(column.slice(1, 3))).containsExactly(new Text(""), null, new Text("ä"));
  }

  @Test
  void encodingsAreUndone() {
    Column dictionary =
        ColumnBuilder.of(DataType.VARCHAR, 2).appendString("x").appendString("yy").build();
    Column encoded =
        new DictionaryColumn(dictionary, new int[] {1, 0, 1}, 0, 3, new byte[] {1, 0, 1});
    assertThat(written(encoded)).containsExactly(new Text("yy"), null, new Text("yy"));
    assertThat(written(new ConstantColumn(ints(DataType.INTEGER, 9), 3))).containsExactly(9, 9, 9);
    assertThat(written(ConstantColumn.nulls(DataType.BIGINT, 2)))
        .containsExactly((Object) null, (Object) null);
  }

  private static Column ints(DataType type, @Nullable Integer... values) {
    ColumnBuilder builder = ColumnBuilder.of(type, values.length);
    for (Integer value : values) {
      if (value == null) {
        builder.appendNull();
      } else {
        builder.appendInt(value);
      }
    }
    return builder.build();
  }

  private static Column longs(DataType type, @Nullable Long... values) {
    ColumnBuilder builder = ColumnBuilder.of(type, values.length);
    for (Long value : values) {
      if (value == null) {
        builder.appendNull();
      } else {
        builder.appendLong(value);
      }
    }
    return builder.build();
  }

  /** The column after another of the same type, so that leftovers would show. */
  private List<@Nullable Object> written(Column column) {
    Schema schema = new Schema(List.of(Field.of("c", column.type())));
    Column before = column.take(reversed(column.length()), column.length());
    try (ArrowWriter writer = new ArrowWriter(schema, allocator)) {
      writer.write(new Batch(schema, List.of(before), before.length()));
      VectorSchemaRoot root = writer.write(new Batch(schema, List.of(column), column.length()));
      assertThat(root.getRowCount()).isEqualTo(column.length());
      FieldVector vector = root.getVector(0);
      @Nullable Object[] values = new @Nullable Object[column.length()];
      for (int i = 0; i < values.length; i++) {
        values[i] = vector.getObject(i);
      }
      return Arrays.asList(values);
    }
  }

  private static int[] reversed(int count) {
    int[] rows = new int[count];
    for (int i = 0; i < count; i++) {
      rows[i] = count - 1 - i;
    }
    return rows;
  }
}
