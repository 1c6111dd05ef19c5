package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Probes the build side with one partition of the probe side. Pairs of row numbers are found a
 * batch at a time, tested by the residual, and only then gathered. Output follows the probe rows;
 * build rows that come out at the end are the last probing stream's.
 */
final class JoinStream extends OperatorStream {
  private final JoinSpec spec;
  private final JoinType type;
  private final int partition;
  private final JoinBuild build;
  private final JoinPairs pairs;
  private final List<PhysicalExpr> probeKeys;
  private final BatchCoalescer coalescer;
  private @Nullable JoinTable table;
  private @Nullable BatchStream probe;
  private int tailRow = -1;
  private boolean probed;
  private boolean skipsProbe;
  private int firstUnmatched;

  JoinStream(PhysicalPlan node, JoinSpec spec, int partition, TaskContext context) {
    super(node, context);
    this.spec = spec;
    this.type = spec.type();
    this.partition = partition;
    this.build =
        spec.collected()
            ? context
                .query()
                .shared(node, JoinBuild.class, () -> new JoinBuild(spec, 0, context.query()))
            : new JoinBuild(spec, partition, context.query());
    this.pairs = new JoinPairs(spec, context);
    this.probeKeys = spec.probeKeys();
    this.coalescer = new BatchCoalescer(node.schema(), context.batchSize());
  }

  @Override
  @Nullable Batch produce() {
    JoinTable built = table;
    if (built == null) {
      long start = System.nanoTime();
      built = build.table(context);
      metrics().exclude(System.nanoTime() - start);
      table = built;
      skipsProbe = built.rowCount() == 0 && !type.keepsUnmatchedRight();
    }
    while (!probed) {
      if (!pairs.hasMore()) {
        Batch batch = skipsProbe || allMatched(built) ? null : pull(probe());
        if (batch == null) {
          probed = true;
          closeProbe();
          tailRow = build.probed() && type.emitsLeftAtEnd() ? 0 : built.rowCount();
          break;
        }
        pairs.start(built, batch, keys(batch));
      }
      context.query().cancellation().check();
      Batch output = coalescer.add(advance(built));
      if (output != null) {
        return output;
      }
    }
    Batch rest = coalescer.flush();
    return rest != null ? rest : tail(built);
  }

  /**
   * Opened when the build side is there: what is below may start to read at once, and is to know
   * the keys by then.
   */
  private BatchStream probe() {
    BatchStream opened = probe;
    if (opened == null) {
      opened = spec.right().execute(partition, context);
      probe = opened;
    }
    return opened;
  }

  /** Also gives up a partition that was never opened, or its exchange would wait for a reader. */
  private void closeProbe() {
    probe().close();
  }

  /** Whether no probe row can change what comes out. */
  private boolean allMatched(JoinTable built) {
    if (type != JoinType.LEFT_SEMI && type != JoinType.LEFT_ANTI) {
      return false;
    }
    firstUnmatched = built.nextUnmatched(firstUnmatched);
    return firstUnmatched == built.rowCount();
  }

  private Column[] keys(Batch batch) {
    Column[] columns = new Column[probeKeys.size()];
    for (int k = 0; k < columns.length; k++) {
      columns[k] = probeKeys.get(k).evaluate(batch, context.query().eval());
    }
    return columns;
  }

  private @Nullable Batch advance(JoinTable built) {
    return switch (type) {
      case INNER, LEFT, RIGHT, FULL -> {
        int count = pairs.next();
        if (type.preservesLeft()) {
          pairs.markBuildRows(count);
        }
        yield count == 0 ? null : joined(built, count);
      }
      case LEFT_SEMI, LEFT_ANTI -> {
        pairs.markAllBuildRows();
        yield null;
      }
      case RIGHT_SEMI, RIGHT_ANTI -> {
        int count = pairs.probeRows(type == JoinType.RIGHT_SEMI);
        yield count == 0 ? null : joined(built, count);
      }
    };
  }

  private Batch joined(JoinTable built, int count) {
    List<Column> columns = new ArrayList<>(schema().size());
    int leftSize = spec.left().schema().size();
    for (int position : spec.output()) {
      columns.add(
          position < leftSize
              ? built.column(position).take(pairs.buildRows(), count)
              : pairs.takeProbe(position - leftSize, count));
    }
    return new Batch(schema(), columns, count);
  }

  /** Build rows without a match, or for a semi join those with one. */
  private @Nullable Batch tail(JoinTable built) {
    boolean wanted = type == JoinType.LEFT_SEMI;
    int[] rows = new int[context.batchSize()];
    int count = 0;
    while (tailRow < built.rowCount() && count < rows.length) {
      rows[count] = tailRow;
      count += built.isMatched(tailRow) == wanted ? 1 : 0;
      tailRow++;
    }
    if (count == 0) {
      return null;
    }
    List<Column> columns = new ArrayList<>(schema().size());
    int leftSize = spec.left().schema().size();
    for (int position : spec.output()) {
      columns.add(
          position < leftSize
              ? built.column(position).take(rows, count)
              : ConstantColumn.nulls(spec.right().schema().type(position - leftSize), count));
    }
    return new Batch(schema(), columns, count);
  }

  @Override
  void release() {
    closeProbe();
    if (table == null && !spec.collected()) {
      // The build side's partition too must be given up, or its exchange would wait for a reader.
      spec.left().execute(partition, context).close();
    }
    table = null;
    pairs.clear();
    coalescer.clear();
    build.leave();
  }
}
