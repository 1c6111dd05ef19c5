package dev.varve.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import dev.varve.writer.order.KeyTypes;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Facts and manifest metrics against a plain walk over the rows. */
class FactsTest {
  private final Schema schema = Samples.allTypes();
  private final Tables.StagingIndex index = new Tables.StagingIndex();

  @Test
  void factsAreWhatAWalkOverTheRowsFinds() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Table table =
        Tables.create(
            Tables.catalog(),
            "t",
            schema,
            List.of(),
            Map.of("write.parquet.row-group-row-limit", "500"));
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 1700; i++) {
      rows.add(Samples.row(schema, random));
    }
    Batch batch = Samples.batch(schema, rows);
    try (FakeWork work = FakeWork.of(2)) {
      Tables.insert(table, index, work, List.of(Samples.encoded(batch, random)));
    }
    DataFile file = Tables.files(table).getFirst();
    FileFacts facts = index.facts(file.location());
    assertThat(facts.recordCount()).isEqualTo(rows.size());
    assertThat(facts.rowGroups()).hasSize(4);
    assertThat(facts.rowGroups().stream().map(RowGroupFacts::startOffset).toList())
        .isEqualTo(file.splitOffsets());
    for (int c = 0; c < schema.size(); c++) {
      check(facts.column(c + 1), c, rows);
      for (int g = 0; g < 4; g++) {
        List<List<@Nullable Object>> part =
            rows.subList(g * 500, Math.min(rows.size(), g * 500 + 500));
        assertThat(facts.rowGroups().get(g).rowCount()).isEqualTo(part.size());
        check(
            facts.rowGroups().get(g).columns().getOrDefault(c + 1, ColumnFacts.unknown(c + 1)),
            c,
            part);
      }
      checkManifest(file, table, c, rows);
    }
  }

  private void check(ColumnFacts facts, int column, List<List<@Nullable Object>> rows) {
    DataType type = schema.type(column);
    KeyType keyType = KeyTypes.of(type);
    long nulls = 0;
    long nans = 0;
    EncodedKey least = null;
    EncodedKey greatest = null;
    for (List<@Nullable Object> row : rows) {
      Object value = row.get(column);
      if (value == null) {
        nulls++;
      } else if (isNan(value)) {
        nans++;
      } else {
        EncodedKey key = KeyEncoding.encodeValue(keyType, keyValue(value));
        least = least == null || key.compareTo(least) < 0 ? key : least;
        greatest = greatest == null || key.compareTo(greatest) > 0 ? key : greatest;
      }
    }
    assertThat(facts.nullCount()).as("%s nulls", type).hasValue(nulls);
    assertThat(facts.nanCount()).as("%s nans", type).hasValue(nans);
    if (least == null || greatest == null) {
      assertThat(facts.lower()).isEqualTo(Bound.UNKNOWN);
      return;
    }
    if (least.length() <= EncodedKey.MAX_BYTES) {
      assertThat(facts.lower()).as("%s lower", type).isEqualTo(new Bound.Exact(least));
    }
    if (greatest.length() <= EncodedKey.MAX_BYTES) {
      assertThat(facts.upper()).as("%s upper", type).isEqualTo(new Bound.Exact(greatest));
    } else {
      assertThat(facts.upper()).isInstanceOf(Bound.Inexact.class);
      assertThat(((Bound.Inexact) facts.upper()).key()).isGreaterThanOrEqualTo(greatest);
    }
  }

  @SuppressWarnings("unchecked")
  private void checkManifest(
      DataFile file, Table table, int column, List<List<@Nullable Object>> rows) {
    int id = column + 1;
    Type type = table.schema().findType(id);
    assertThat(file.valueCounts()).containsEntry(id, (long) rows.size());
    assertThat(file.nullValueCounts())
        .containsEntry(id, rows.stream().filter(r -> r.get(column) == null).count());
    if (type.typeId() == Type.TypeID.UUID) {
      assertThat(file.lowerBounds()).doesNotContainKey(id);
      return;
    }
    Object lower = Conversions.fromByteBuffer(type, file.lowerBounds().get(id));
    // Sixteen bytes FF have no upper bound of that length.
    Object upper =
        file.upperBounds().containsKey(id)
            ? Conversions.fromByteBuffer(type, file.upperBounds().get(id))
            : null;
    assertThat(upper != null || type.typeId() == Type.TypeID.BINARY).isTrue();
    java.util.Comparator<Object> order =
        (java.util.Comparator<Object>)
            (java.util.Comparator<?>) Comparators.forType(type.asPrimitiveType());
    for (List<@Nullable Object> row : rows) {
      Object value = row.get(column);
      if (value != null && !isNan(value)) {
        Object iceberg = icebergValue(value);
        assertThat(order.compare(lower, iceberg)).as("%s", value).isLessThanOrEqualTo(0);
        if (upper != null) {
          assertThat(order.compare(iceberg, upper)).as("%s", value).isLessThanOrEqualTo(0);
        }
      }
    }
    if (type.typeId() == Type.TypeID.STRING) {
      assertThat(lower.toString().length()).isLessThanOrEqualTo(32);
    }
  }

  private static boolean isNan(Object value) {
    return value instanceof Double d && d.isNaN() || value instanceof Float f && f.isNaN();
  }

  private static Object keyValue(Object value) {
    return switch (value) {
      case Integer i -> i.longValue();
      case Float f -> f.doubleValue();
      case BigDecimal d -> d.unscaledValue();
      case LocalDate d -> d.toEpochDay();
      case LocalTime t -> t.toNanoOfDay() / 1000;
      case LocalDateTime t -> dev.varve.engine.batch.Values.toMicros(t.toInstant(ZoneOffset.UTC));
      case Instant t -> dev.varve.engine.batch.Values.toMicros(t);
      default -> value;
    };
  }

  private static Object icebergValue(Object value) {
    return switch (value) {
      case LocalDate d -> (int) d.toEpochDay();
      case byte[] bytes -> ByteBuffer.wrap(bytes);
      case BigDecimal d -> d;
      case Integer i -> i;
      case Float f -> f;
      default -> keyValue(value);
    };
  }
}
