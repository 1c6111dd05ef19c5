package dev.varve.writer.commit;

import dev.varve.writer.parquet.WrittenColumn;
import dev.varve.writer.parquet.WrittenFile;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.MetricsModes;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.BinaryUtil;
import org.apache.iceberg.util.UnicodeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of data files as manifests hold them, in the detail that the table's {@code
 * write.metadata.metrics} properties ask for.
 *
 * <p>No bounds are written for uuids: readers disagree on whether their halves are signed.
 */
final class ManifestMetrics {
  private final Table table;
  private final MetricsConfig config;

  ManifestMetrics(Table table) {
    this.table = table;
    this.config = MetricsConfig.forTable(table);
  }

  Metrics of(WrittenFile file) {
    Map<Integer, Long> sizes = new HashMap<>();
    Map<Integer, Long> values = new HashMap<>();
    Map<Integer, Long> nulls = new HashMap<>();
    Map<Integer, Long> nans = new HashMap<>();
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    for (WrittenColumn column : WrittenFacts.merged(file)) {
      int id = column.column().fieldId();
      MetricsModes.MetricsMode mode = config.columnMode(column.column().name());
      sizes.put(id, column.compressedBytes());
      if (mode instanceof MetricsModes.None) {
        continue;
      }
      values.put(id, column.rows());
      nulls.put(id, column.nulls());
      if (column.mayHaveNans()) {
        nans.put(id, column.nans());
      }
      if (mode instanceof MetricsModes.Counts) {
        continue;
      }
      int limit =
          mode instanceof MetricsModes.Truncate truncate ? truncate.length() : Integer.MAX_VALUE;
      Type type = table.schema().findType(id);
      put(lower, id, type, least(type, column.least(), limit));
      put(upper, id, type, greatest(type, column.greatest(), limit));
    }
    return new Metrics(file.rows(), sizes, values, nulls, nans, lower, upper);
  }

  private static void put(
      Map<Integer, ByteBuffer> bounds, int id, Type type, @Nullable Object value) {
    if (value != null) {
      bounds.put(id, Conversions.toByteBuffer(type, value));
    }
  }

  private static @Nullable Object least(Type type, @Nullable Object value, int limit) {
    return switch (value) {
      case String text -> UnicodeUtil.truncateStringMin(text, limit);
      case byte[] bytes -> BinaryUtil.truncateBinaryMin(ByteBuffer.wrap(bytes), limit);
      case null, default -> icebergValue(type, value);
    };
  }

  private static @Nullable Object greatest(Type type, @Nullable Object value, int limit) {
    return switch (value) {
      case String text -> UnicodeUtil.truncateStringMax(text, limit);
      case byte[] bytes -> BinaryUtil.truncateBinaryMax(ByteBuffer.wrap(bytes), limit);
      case null, default -> icebergValue(type, value);
    };
  }

  private static @Nullable Object icebergValue(Type type, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return switch (type.typeId()) {
      case INTEGER, DATE -> ((Long) value).intValue();
      case FLOAT -> ((Double) value).floatValue();
      case DECIMAL -> new BigDecimal((BigInteger) value, ((Types.DecimalType) type).scale());
      case UUID -> null;
      default -> value;
    };
  }
}
