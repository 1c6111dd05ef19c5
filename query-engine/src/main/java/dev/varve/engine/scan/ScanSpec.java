package dev.varve.engine.scan;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.BitSet;
import java.util.List;

/**
 * What a scan gives: columns of the table, in order, of the rows that pass {@code exactFilters};
 * {@code pruningFilters} only skip. Both are over the table's columns.
 */
record ScanSpec(
    ScanTable table,
    List<Integer> output,
    List<PhysicalExpr> exactFilters,
    List<PhysicalExpr> pruningFilters,
    Settings settings) {

  ScanSpec {
    output = List.copyOf(output);
    exactFilters = List.copyOf(exactFilters);
    pruningFilters = List.copyOf(pruningFilters);
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
    return new ScanSpec(table, columns, List.of(), List.of(), settings);
  }

  boolean prunes() {
    return settings.optimizes(EngineSettings.PRUNING);
  }

  PruningPredicate pruning() {
    return PruningPredicate.of(
        java.util.stream.Stream.concat(exactFilters.stream(), pruningFilters.stream()).toList());
  }

  boolean hasFilters() {
    return !exactFilters.isEmpty() || !pruningFilters.isEmpty();
  }

  /** Every column that is read: those given and those that exact filters need. */
  BitSet readColumns() {
    BitSet columns = new BitSet();
    output.forEach(columns::set);
    exactFilters.forEach(f -> Exprs.collectColumns(f, columns));
    return columns;
  }

  /** Every column that is read or asked about. */
  BitSet knownColumns() {
    BitSet columns = readColumns();
    pruningFilters.forEach(f -> Exprs.collectColumns(f, columns));
    return columns;
  }

  ScanSpec withOutput(List<Integer> columns) {
    return new ScanSpec(table, columns, exactFilters, pruningFilters, settings);
  }

  ScanSpec withFilters(List<PhysicalExpr> exact, List<PhysicalExpr> pruning) {
    return new ScanSpec(table, output, exact, pruning, settings);
  }
}
