package dev.varve.engine.scan;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.PhysicalType;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Statistics of a scan from facts of its files. */
final class ScanStatistics {
  private ScanStatistics() {}

  static Statistics of(ScanSpec spec, List<FileFacts> files, int partitions, OptionalLong fetch) {
    long rows = files.stream().mapToLong(FileFacts::recordCount).sum();
    List<ColumnStatistics> columns = new ArrayList<>(spec.output().size());
    long width = 0;
    for (int position : spec.output()) {
      ScanColumn column = spec.table().columns().get(position);
      columns.add(column(column, files));
      width += width(column.type());
    }
    Statistics all =
        new Statistics(
            Precision.exact(rows), Precision.inexact(rows * Math.max(1, width)), columns);
    if (!spec.hasFilters() && fetch.isEmpty()) {
      return all;
    }
    long estimate = rows;
    if (!spec.exactFilters().isEmpty()) {
      int percent = spec.settings().get(EngineSettings.DEFAULT_FILTER_SELECTIVITY);
      estimate = (long) Math.ceil(rows * (percent / 100.0));
    }
    if (fetch.isPresent() && fetch.getAsLong() < estimate / Math.max(1, partitions)) {
      estimate = fetch.getAsLong() * partitions;
    }
    return new Statistics(
        Precision.inexact(estimate),
        Precision.inexact(estimate * Math.max(1, width)),
        columns.stream().map(ColumnStatistics::toInexact).toList());
  }

  private static int width(DataType type) {
    return switch (type.physical()) {
      case BOOLEAN -> 1;
      case INT, FLOAT -> 4;
      case LONG, DOUBLE -> 8;
      case INT128 -> 16;
      case BYTES -> 24;
    };
  }

  private static ColumnStatistics column(ScanColumn column, List<FileFacts> files) {
    long nulls = 0;
    boolean nullsKnown = true;
    Extreme least = new Extreme(-1);
    Extreme greatest = new Extreme(1);
    for (FileFacts file : files) {
      ColumnFacts facts = file.column(column.id());
      if (facts.nullCount().isPresent()) {
        nulls += facts.nullCount().getAsLong();
      } else {
        nullsKnown = false;
      }
      if (facts.nullCount().orElse(-1) < file.recordCount()) {
        least.add(facts.lower());
        greatest.add(facts.upper());
      }
    }
    return new ColumnStatistics(
        nullsKnown ? Precision.exact(nulls) : Precision.absent(),
        least.result(column.type()),
        greatest.result(column.type()),
        Precision.absent());
  }

  /** The least or greatest of bounds: exact only if all are, absent if one is missing. */
  private static final class Extreme {
    private final int sign;
    private @Nullable EncodedKey key;
    private boolean exact = true;
    private boolean known = true;

    Extreme(int sign) {
      this.sign = sign;
    }

    void add(Bound bound) {
      switch (bound) {
        case Bound.Unknown _ -> known = false;
        case Bound.Exact(EncodedKey k) -> add(k);
        case Bound.Inexact(EncodedKey k) -> {
          exact = false;
          add(k);
        }
      }
    }

    private void add(EncodedKey other) {
      if (key == null || Integer.signum(other.compareTo(key)) == sign) {
        key = other;
      }
    }

    Precision<Object> result(DataType type) {
      EncodedKey found = key;
      // A bound that may be cut is no value of a type of variable length.
      if (!known
          || found == null
          || (!exact && type.physical() == PhysicalType.BYTES)
          || (type.isFloating() && found.equals(ColumnKeys.NAN))) {
        return Precision.absent();
      }
      Object value = ColumnKeys.value(type, found);
      return exact ? Precision.exact(value) : Precision.inexact(value);
    }
  }
}
