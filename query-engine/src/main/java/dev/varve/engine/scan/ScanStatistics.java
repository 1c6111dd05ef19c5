package dev.varve.engine.scan;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.properties.ColumnSpread;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.FilterEstimate;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.PhysicalType;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.DistinctEstimate;
import dev.varve.layout.FileFacts;
import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Statistics of a scan from facts of its files. */
final class ScanStatistics {
  private ScanStatistics() {}

  static Statistics of(ScanSpec spec, List<FileFacts> files, int partitions, OptionalLong fetch) {
    long rows = files.stream().mapToLong(FileFacts::recordCount).sum();
    List<ColumnStatistics> columns =
        new ArrayList<>(
            Collections.nCopies(spec.table().columns().size(), ColumnStatistics.UNKNOWN));
    BitSet wanted = spec.readColumns();
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
      ScanColumn column = spec.table().columns().get(i);
      columns.set(i, column(column, files, spec.table().distinctCounts().get(column.id())));
    }
    Statistics all =
        FilterEstimate.of(
            spec.exactFilters(),
            spec.table().schema(),
            new Statistics(Precision.exact(rows), Precision.absent(), columns),
            spec.settings().get(EngineSettings.DEFAULT_FILTER_SELECTIVITY));
    long estimate = all.rowCount().known().orElse(rows);
    if (fetch.isPresent() && fetch.getAsLong() < estimate / Math.max(1, partitions)) {
      estimate = fetch.getAsLong() * partitions;
    }
    boolean exact = !spec.hasFilters() && fetch.isEmpty();
    long width = 0;
    List<ColumnStatistics> output = new ArrayList<>(spec.output().size());
    for (int position : spec.output()) {
      ColumnStatistics column = all.columns().get(position);
      output.add(exact ? column : column.toInexact());
      width += width(spec.table().columns().get(position).type());
    }
    return new Statistics(
        exact ? Precision.exact(rows) : Precision.inexact(estimate),
        Precision.inexact(estimate * Math.max(1, width)),
        output);
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

  private static ColumnStatistics column(
      ScanColumn column, List<FileFacts> files, @Nullable Long tableDistinct) {
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
    ColumnStatistics known =
        new ColumnStatistics(
            nullsKnown ? Precision.exact(nulls) : Precision.absent(),
            least.result(column.type()),
            greatest.result(column.type()),
            distinct(column, files, tableDistinct));
    double rows = Math.max(1, files.stream().mapToLong(FileFacts::recordCount).sum());
    double limit = ColumnSpread.of(known, column.type(), rows).possible();
    return known.withDistinct(known.distinctCount(), Precision.inexact((long) limit));
  }

  /** The table's count, which covers all files; or else put together from those of the files. */
  private static Precision<Long> distinct(
      ScanColumn column, List<FileFacts> files, @Nullable Long tableDistinct) {
    if (tableDistinct != null) {
      return Precision.inexact(tableDistinct);
    }
    List<DistinctEstimate.Part> parts = new ArrayList<>(files.size());
    for (FileFacts file : files) {
      ColumnFacts facts = file.column(column.id());
      long values = file.recordCount() - Math.max(0, facts.nullCount().orElse(0));
      if (values > 0 && facts.distinctCount().isEmpty()) {
        return Precision.absent();
      }
      parts.add(
          new DistinctEstimate.Part(
              facts.lower(), facts.upper(), values, facts.distinctCount().orElse(0)));
    }
    OptionalLong combined = DistinctEstimate.combine(parts);
    return combined.isPresent() ? Precision.inexact(combined.getAsLong()) : Precision.absent();
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
