package dev.varve.engine.scan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.engine.plan.KeyTest;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DynamicFilter} in a scan: looks for content before each batch and rests while asking
 * costs more than it saves. Confined to one task.
 */
final class DynamicRowFilter implements RowFilter {
  /** Rows after which it is judged. */
  private static final int TRIAL_ROWS = 1 << 16;

  /** Batches after which it is tried again: other parts of a table may have other keys. */
  private static final int REST_BATCHES = 64;

  /** Of 256 rows, so many at least must fall away. */
  private static final int LEAST_REMOVED = 24;

  private final PhysicalExpr tableOperand;
  private final PhysicalExpr operand;
  private final DynamicFilter.Slot slot;
  private final int[] columns;
  private final Schema schema;
  private final EvalContext context;
  private final LongAdder removed;
  private final Verdicts entries = new Verdicts();

  private @Nullable KeyTest test;
  private int resting;
  private long asked;
  private long kept;

  /** {@code filter} is over the table's columns. */
  DynamicRowFilter(DynamicFilter filter, ScanTable table, QueryContext query, MetricSet metrics) {
    this.tableOperand = filter.operand();
    this.columns = Exprs.columns(tableOperand).stream().toArray();
    this.operand = Exprs.remap(tableOperand, ScanFilter.ownPositions(columns, table));
    this.schema = table.schema(Arrays.stream(columns).boxed().toList()).nullable();
    this.slot = filter.slot(query);
    this.context = query.eval();
    this.removed = metrics.counter("rows_removed_dynamic");
  }

  @Override
  public int[] columns() {
    return columns;
  }

  /** What its content, if there is any, says in a form that skips. */
  Optional<PhysicalExpr> implied() {
    KeyTest content = slot.test();
    return content == null ? Optional.empty() : content.implied(tableOperand);
  }

  /** Another object whenever there is other content. */
  @Nullable KeyTest content() {
    return slot.test();
  }

  @Override
  public boolean isActive() {
    KeyTest content = slot.test();
    if (content != test) {
      test = content;
      entries.reset();
      resting = 0;
      asked = 0;
      kept = 0;
    }
    if (resting > 0) {
      resting--;
      return false;
    }
    return content != null;
  }

  @Override
  public int select(List<Column> values, int rows, int[] selection) {
    KeyTest content = test;
    if (content == null) {
      throw new IllegalStateException("a dynamic filter without content was asked");
    }
    int count;
    if (columns.length == 1
        && values.getFirst() instanceof DictionaryColumn coded
        && entries.isWorthwhile(coded)) {
      count = entries.select(coded, selection);
    } else {
      count = content.select(operand(values, rows), selection);
    }
    removed.add(rows - count);
    asked += rows;
    kept += count;
    if (asked >= TRIAL_ROWS) {
      resting = (asked - kept) * 256 < asked * LEAST_REMOVED ? REST_BATCHES : 0;
      asked = 0;
      kept = 0;
    }
    return count;
  }

  private Column operand(List<Column> values, int rows) {
    return operand instanceof ColumnExpr
        ? values.getFirst()
        : operand.evaluate(new Batch(schema, values, rows), context);
  }

  private final class Verdicts extends EntryVerdicts {
    @Override
    void mark(Column values, byte[] marks) {
      KeyTest content = test;
      if (content == null) {
        throw new IllegalStateException("a dynamic filter without content was asked");
      }
      int[] passing = new int[marks.length];
      int count = content.select(operand(List.of(values), marks.length), passing);
      for (int i = 0; i < count; i++) {
        marks[passing[i]] = 1;
      }
    }

    /** The operand of a null need not be null. */
    @Override
    boolean passesNull() {
      return !(operand instanceof ColumnExpr) || (test != null && test.acceptsNull());
    }
  }
}
