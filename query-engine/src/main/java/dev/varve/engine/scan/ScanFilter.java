package dev.varve.engine.scan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Predicates;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.Booleans;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter that a scan evaluates on the few columns it needs. On a dictionary column it is
 * evaluated once per entry. Confined to one task.
 */
final class ScanFilter implements RowFilter {
  private final PhysicalExpr predicate;
  private final int[] columns;
  private final Schema schema;
  private final EvalContext context;
  private final @Nullable EntryVerdicts entries;

  /** {@code filter} is over the table's columns. */
  ScanFilter(PhysicalExpr filter, ScanTable table, EvalContext context) {
    this.columns = Exprs.columns(filter).stream().toArray();
    this.predicate = Exprs.remap(filter, ownPositions(columns, table));
    this.schema = table.schema(Arrays.stream(columns).boxed().toList()).nullable();
    this.context = context;
    // An entry that no row refers to must not fail the query.
    this.entries = isPerValue(filter) ? new Verdicts() : null;
  }

  /** The filters of a scan, those on one column together where that changes nothing else. */
  static List<RowFilter> of(List<PhysicalExpr> filters, ScanTable table, EvalContext context) {
    List<PhysicalExpr> merged = new ArrayList<>();
    for (PhysicalExpr filter : filters) {
      int same = isPerValue(filter) ? sameColumn(merged, Exprs.columns(filter)) : -1;
      if (same < 0) {
        merged.add(filter);
      } else {
        List<PhysicalExpr> terms = new ArrayList<>(Exprs.splitConjuncts(merged.get(same)));
        terms.add(filter);
        merged.set(same, Exprs.conjunction(terms));
      }
    }
    List<RowFilter> result = new ArrayList<>();
    for (PhysicalExpr filter : merged) {
      result.add(new ScanFilter(filter, table, context));
    }
    return result;
  }

  /** The place of an earlier filter on the same column, not moved before one that can fail. */
  private static int sameColumn(List<PhysicalExpr> filters, BitSet columns) {
    for (int i = filters.size() - 1; i >= 0; i--) {
      if (isPerValue(filters.get(i)) && Exprs.columns(filters.get(i)).equals(columns)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isPerValue(PhysicalExpr filter) {
    return !filter.fallible()
        && filter.volatility() != Volatility.VOLATILE
        && Exprs.columns(filter).cardinality() == 1;
  }

  /** Where each column of the table is among {@code columns}; -1 where it is not. */
  static int[] ownPositions(int[] columns, ScanTable table) {
    int[] mapping = new int[table.columns().size()];
    Arrays.fill(mapping, -1);
    for (int i = 0; i < columns.length; i++) {
      mapping[columns[i]] = i;
    }
    return mapping;
  }

  @Override
  public boolean fallible() {
    return predicate.fallible();
  }

  @Override
  public int[] columns() {
    return columns;
  }

  @Override
  public int select(List<Column> values, int rows, int[] selection) {
    EntryVerdicts verdicts = entries;
    if (verdicts != null
        && values.getFirst() instanceof DictionaryColumn coded
        && verdicts.isWorthwhile(coded)) {
      return verdicts.select(coded, selection);
    }
    return Predicates.select(predicate, new Batch(schema, values, rows), context, selection);
  }

  private final class Verdicts extends EntryVerdicts {
    @Override
    void mark(Column values, byte[] marks) {
      BooleanColumn result =
          Booleans.flat(
              predicate.evaluate(new Batch(schema, List.of(values), marks.length), context));
      Booleans.markTrue(result, marks);
    }

    @Override
    boolean passesNull() {
      byte[] mark = new byte[1];
      mark(ConstantColumn.nulls(schema.type(0), 1), mark);
      return mark[0] != 0;
    }
  }
}
