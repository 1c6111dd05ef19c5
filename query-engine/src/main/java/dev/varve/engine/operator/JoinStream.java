package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
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
  private final JoinOutput output;
  private @Nullable BuildSide side;
  private @Nullable SpilledProbe spilled;
  private @Nullable BatchStream probe;
  private JoinOutput.@Nullable Tail tail;
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
    this.output =
        new JoinOutput(
            node.schema(),
            spec.left().schema(),
            spec.right().schema(),
            spec.output(),
            context.batchSize());
  }

  @Override
  @Nullable Batch produce() {
    BuildSide built = side;
    if (built == null) {
      long start = System.nanoTime();
      built = build.side(context);
      metrics().exclude(System.nanoTime() - start);
      side = built;
    }
    return switch (built) {
      case JoinTable table -> join(table);
      case SpilledBuild files -> join(files);
    };
  }

  private @Nullable Batch join(JoinTable table) {
    skipsProbe = table.rowCount() == 0 && !type.keepsUnmatchedRight();
    while (!probed) {
      if (!pairs.hasMore()) {
        Batch batch = skipsProbe || allMatched(table) ? null : pull(probe());
        if (batch == null) {
          probed = true;
          closeProbe();
          if (build.probed() && type.emitsLeftAtEnd()) {
            tail = output.new Tail(table, type);
          }
          break;
        }
        pairs.start(table, batch, keys(batch));
      }
      context.query().cancellation().check();
      Batch joined = coalescer.add(output.advance(type, table, pairs));
      if (joined != null) {
        return joined;
      }
    }
    Batch rest = coalescer.flush();
    JoinOutput.Tail last = tail;
    return rest != null || last == null ? rest : last.next();
  }

  /** Puts the probe side on disk as well, then joins part by part. */
  private @Nullable Batch join(SpilledBuild files) {
    SpilledProbe rows = spilled;
    if (rows == null) {
      rows = new SpilledProbe(spec, files, build, context);
      spilled = rows;
      Batch batch;
      while ((batch = pull(probe())) != null) {
        rows.add(batch);
      }
      closeProbe();
      rows.end();
    }
    return rows.next();
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

  @Override
  void release() {
    SpilledProbe rows = spilled;
    if (rows != null) {
      rows.close();
    }
    closeProbe();
    if (side == null && !spec.collected()) {
      // The build side's partition too must be given up, or its exchange would wait for a reader.
      spec.left().execute(partition, context).close();
    }
    side = null;
    tail = null;
    pairs.clear();
    coalescer.clear();
    build.leave();
  }
}
