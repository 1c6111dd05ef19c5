package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
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
  private final @Nullable OrderingKeys probeKeys;
  private @Nullable JoinTable table;
  private final BatchStream probe;
  private int tailRow = -1;
  private boolean probed;
  private boolean skipsProbe;

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
    this.probe = spec.right().execute(partition, context);
    this.pairs = new JoinPairs(spec, context);
    this.probeKeys =
        spec.on().isEmpty()
            ? null
            : OrderingKeys.unordered(spec.on().stream().map(JoinKey::right).toList(), context);
  }

  @Override
  @Nullable Batch produce() {
    JoinTable built = table;
    if (built == null) {
      long start = System.nanoTime();
      built = build.table(context);
      metrics().exclude(System.nanoTime() - start);
      table = built;
      if (built.rowCount() == 0 && !type.preservesRight() && type != JoinType.RIGHT_ANTI) {
        probe.close();
        skipsProbe = true;
      }
    }
    while (!probed) {
      if (!pairs.hasMore()) {
        Batch batch = skipsProbe ? null : pull(probe);
        if (batch == null) {
          probed = true;
          probe.close();
          tailRow = build.probed() && type.emitsLeftAtEnd() ? 0 : built.rowCount();
          break;
        }
        pairs.start(built, batch, probeKeys == null ? null : probeKeys.of(batch));
      }
      context.query().cancellation().check();
      Batch output = advance(built);
      if (output != null) {
        return output;
      }
    }
    return tail(built);
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
        yield count == 0 ? null : pairs.takeProbe(count);
      }
    };
  }

  private Batch joined(JoinTable built, int count) {
    List<Column> columns = new ArrayList<>(schema().size());
    columns.addAll(built.rows().take(pairs.buildRows(), count).columns());
    columns.addAll(pairs.takeProbe(count).columns());
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
    List<Column> columns = new ArrayList<>(built.rows().take(rows, count).columns());
    if (type.keepsRightColumns()) {
      Schema right = spec.right().schema();
      for (int i = 0; i < right.size(); i++) {
        columns.add(ConstantColumn.nulls(right.type(i), count));
      }
    }
    return new Batch(schema(), columns, count);
  }

  @Override
  void release() {
    probe.close();
    if (table == null && !spec.collected()) {
      // The build side's partition too must be given up, or its exchange would wait for a reader.
      spec.left().execute(partition, context).close();
    }
    table = null;
    pairs.clear();
    build.leave();
  }
}
