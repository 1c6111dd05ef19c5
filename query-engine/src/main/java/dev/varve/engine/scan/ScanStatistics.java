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
import org.apache.iceberg.DeleteFile;
import org.jspecify.annotations.Nullable;

/** Statistics of a scan from facts of its files. */
final class ScanStatistics {
  /** More files would say little more, and cost time at each statement. */
  private static final int SAMPLE_FILES = 1_000;

  private ScanStatistics() {}

  /** Of a table's columns, from all of its files or from some that stand for all {@code rows}. */
  static Statistics of(ScanSpec spec, List<FileFacts> sample, long rows) {
    return of(spec, Known.of(sample, rows), 1, OptionalLong.empty());
  }

  static Statistics of(ScanSpec spec, List<FileFacts> files, int partitions, OptionalLong fetch) {
    long rows = files.stream().mapToLong(FileFacts::recordCount).sum();
    return of(spec, Known.of(evenly(files), rows), partitions, fetch);
  }

  /**
   * What statistics are made from.
   *
   * @param rows of all files, of which these are some
   * @param whole whether they are all
   */
  private record Known(List<FileFacts> files, long rows, double times, boolean whole) {
    static Known of(List<FileFacts> files, long rows) {
      long own = files.stream().mapToLong(FileFacts::recordCount).sum();
      return new Known(files, rows, own == 0 ? 1 : (double) rows / own, own == rows);
    }
  }

  private static List<FileFacts> evenly(List<FileFacts> files) {
    if (files.size() <= SAMPLE_FILES) {
      return files;
    }
    List<FileFacts> sample = new ArrayList<>(SAMPLE_FILES);
    for (int i = 0; i < SAMPLE_FILES; i++) {
      sample.add(files.get((int) ((long) i * (files.size() - 1) / (SAMPLE_FILES - 1))));
    }
    return sample;
  }

  private static Statistics of(ScanSpec spec, Known known, int partitions, OptionalLong fetch) {
    boolean deletes = spec.table().deletes().any();
    long rows = known.rows() - (deletes ? deletedPositions(spec.table(), known) : 0);
    List<ColumnStatistics> columns =
        new ArrayList<>(
            Collections.nCopies(spec.table().columns().size(), ColumnStatistics.UNKNOWN));
    BitSet wanted = spec.readColumns();
    for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
      ScanColumn column = spec.table().columns().get(i);
      columns.set(i, column(column, known, spec.table().distinctCounts().get(column.id())));
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
    boolean exact = !spec.hasFilters() && fetch.isEmpty() && !deletes;
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

  /** Those that are known to be; delete files that may be about several data files do not say. */
  private static long deletedPositions(ScanTable table, Known known) {
    long deleted = 0;
    for (FileFacts file : known.files()) {
      long own =
          table.deletes().of(file).positions().stream()
              .filter(delete -> !ScanDeletes.isShared(delete))
              .mapToLong(DeleteFile::recordCount)
              .sum();
      deleted += Math.min(own, file.recordCount());
    }
    return Math.min(known.rows(), (long) (deleted * known.times()));
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
      ScanColumn column, Known known, @Nullable Long tableDistinct) {
    long nulls = 0;
    boolean nullsKnown = true;
    Extreme least = new Extreme(-1, known.whole());
    Extreme greatest = new Extreme(1, known.whole());
    List<DistinctEstimate.Part> parts = new ArrayList<>(known.files().size());
    boolean distinctKnown = tableDistinct == null;
    for (FileFacts file : known.files()) {
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
      long values = file.recordCount() - Math.max(0, facts.nullCount().orElse(0));
      distinctKnown &= values <= 0 || facts.distinctCount().isPresent();
      if (distinctKnown) {
        parts.add(
            new DistinctEstimate.Part(
                facts.lower(), facts.upper(), values, facts.distinctCount().orElse(0)));
      }
    }
    Precision<Long> nullCount =
        !nullsKnown
            ? Precision.absent()
            : known.whole()
                ? Precision.exact(nulls)
                : Precision.estimate((long) (nulls * known.times()));
    ColumnStatistics statistics =
        new ColumnStatistics(
            nullCount,
            least.result(column.type()),
            greatest.result(column.type()),
            // The table's count covers all files.
            tableDistinct != null
                ? Precision.inexact(tableDistinct)
                : distinctKnown ? distinct(parts, known.times()) : Precision.absent());
    double limit = ColumnSpread.of(statistics, column.type(), Math.max(1, known.rows())).possible();
    return statistics.withDistinct(
        statistics.distinctCount(),
        known.whole() ? Precision.inexact((long) limit) : Precision.estimate((long) limit));
  }

  private static Precision<Long> distinct(List<DistinctEstimate.Part> parts, double times) {
    OptionalLong combined = DistinctEstimate.combine(parts, times);
    return combined.isPresent() ? Precision.inexact(combined.getAsLong()) : Precision.absent();
  }

  /** The least or greatest of bounds: exact only if all are, absent if one is missing. */
  private static final class Extreme {
    private final int sign;
    private final boolean whole;
    private @Nullable EncodedKey key;
    private boolean exact = true;
    private boolean known = true;

    Extreme(int sign, boolean whole) {
      this.sign = sign;
      this.whole = whole;
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
      if (!whole) {
        return Precision.estimate(value);
      }
      return exact ? Precision.exact(value) : Precision.inexact(value);
    }
  }
}
