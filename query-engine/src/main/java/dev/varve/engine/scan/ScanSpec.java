package dev.varve.engine.scan;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What a scan gives: columns of the table, in order, of the rows that pass {@code exactFilters};
 * {@code pruningFilters} only skip, and {@code dynamicFilters} remove what they can once they have
 * content. All are over the table's columns.
 */
record ScanSpec(
    ScanTable table,
    List<Integer> output,
    List<PhysicalExpr> exactFilters,
    List<PhysicalExpr> pruningFilters,
    List<DynamicFilter> dynamicFilters,
    Settings settings) {

  ScanSpec {
    output = List.copyOf(output);
    exactFilters = List.copyOf(exactFilters);
    pruningFilters = List.copyOf(pruningFilters);
    dynamicFilters = List.copyOf(dynamicFilters);
  }

  /** A scan without filters, whatever the types of its columns. */
  ScanSpec(ScanTable table, List<Integer> output, Settings settings) {
    this(table, output, List.of(), List.of(), List.of(), settings);
  }

  /**
   * A scan without filters.
   *
   * @throws VarveException FEATURE_NOT_SUPPORTED, naming the first column whose type we cannot read
   */
  static ScanSpec of(ScanTable table, List<Integer> columns, Settings settings) {
    for (int position : columns) {
      ScanColumn column = table.columns().get(position);
      column
          .unsupported()
          .ifPresent(
              type -> {
                throw new VarveException(
                    ErrorCode.FEATURE_NOT_SUPPORTED,
                    "column '"
                        + column.name()
                        + "' of "
                        + table.name()
                        + " has type "
                        + type
                        + ", which is not supported yet",
                    null,
                    "select the other columns by name",
                    null);
              });
    }
    return new ScanSpec(table, columns, settings);
  }

  boolean prunes() {
    return settings.optimizes(EngineSettings.PRUNING);
  }

  PruningPredicate pruning() {
    return PruningPredicate.of(
        java.util.stream.Stream.concat(exactFilters.stream(), pruningFilters.stream()).toList());
  }

  /** Whether dynamic filters are asked about rows, not only about files and parts of files. */
  boolean testsRows() {
    return settings.optimizes(EngineSettings.LATE_MATERIALIZATION);
  }

  /** Filters that were known when the query was planned. */
  boolean hasFilters() {
    return !exactFilters.isEmpty() || !pruningFilters.isEmpty();
  }

  /** Every column that may be read: those given and those that rows are tested by. */
  BitSet readColumns() {
    BitSet columns = new BitSet();
    output.forEach(columns::set);
    exactFilters.forEach(f -> Exprs.collectColumns(f, columns));
    if (testsRows()) {
      dynamicFilters.forEach(f -> Exprs.collectColumns(f, columns));
    }
    return columns;
  }

  /** Every column that is read or asked about. */
  BitSet knownColumns() {
    BitSet columns = readColumns();
    pruningFilters.forEach(f -> Exprs.collectColumns(f, columns));
    dynamicFilters.forEach(f -> Exprs.collectColumns(f, columns));
    return columns;
  }

  ScanSpec withOutput(List<Integer> columns) {
    return new ScanSpec(table, columns, exactFilters, pruningFilters, dynamicFilters, settings);
  }

  /** With more exact filters, which come first. */
  ScanSpec restricted(List<PhysicalExpr> more) {
    List<PhysicalExpr> exact = new ArrayList<>(more);
    exact.addAll(exactFilters);
    return withFilters(exact, pruningFilters, dynamicFilters);
  }

  ScanSpec withFilters(
      List<PhysicalExpr> exact, List<PhysicalExpr> pruning, List<DynamicFilter> dynamic) {
    return new ScanSpec(table, output, exact, pruning, dynamic, settings);
  }
}
