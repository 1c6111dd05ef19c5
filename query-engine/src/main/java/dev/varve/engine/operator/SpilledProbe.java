package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.spill.SpillFile;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One stream's part in a join whose build side is on disk: first its probe rows are written, then
 * it joins them. Where build rows come out at the end, only the last stream joins, all rows of all.
 *
 * <p>Where the join has promised the order of the probe side, probe rows are numbered, each pass of
 * the join gives a run in the order of the numbers, and the runs are merged. Confined to one task.
 */
final class SpilledProbe implements AutoCloseable {
  private final JoinSpec spec;
  private final SpilledBuild build;
  private final JoinBuild shared;
  private final TaskContext context;
  private final OperatorMemory memory;
  private final OperatorSpill spill;
  private final boolean numbered;
  private final Schema schema;
  private final SpilledSide side;
  private final SpilledJoin join;
  private final Schema joined;
  private @Nullable SortedRuns runs;
  private long rows;
  private boolean joins = true;

  SpilledProbe(JoinSpec spec, SpilledBuild build, JoinBuild shared, TaskContext context) {
    this.spec = spec;
    this.build = build;
    this.shared = shared;
    this.context = context;
    String name = spec.node().name() + " parts";
    this.memory = new OperatorMemory(context.reserve(name, true), spec.node().metrics());
    this.spill = new OperatorSpill(name, context, spec.node().metrics());
    this.numbered = spec.keepsOrder();
    Schema right = spec.right().schema();
    this.schema = numbered ? numbered(right) : right;
    this.joined = numbered ? numbered(spec.node().schema()) : spec.node().schema();
    // The last stream reads what others wrote: their files stay until all have closed.
    OperatorSpill files = spec.type().emitsLeftAtEnd() ? shared.spillFiles(context) : spill;
    this.side = new SpilledSide(schema, spec.probeKeys(), 0, files, context);
    List<Integer> output = new ArrayList<>(spec.output());
    if (numbered) {
      output.add(spec.left().schema().size() + right.size());
    }
    this.join =
        new SpilledJoin(
            spec,
            new JoinOutput(joined, spec.left().schema(), schema, output, context.batchSize()),
            schema,
            memory,
            spill,
            context);
  }

  private static Schema numbered(Schema rows) {
    List<Field> fields = new ArrayList<>(rows.fields());
    fields.add(Field.of("row number", DataType.BIGINT, false));
    return new Schema(fields);
  }

  void add(Batch batch) {
    side.add(numbered ? withNumbers(batch) : batch);
  }

  private Batch withNumbers(Batch batch) {
    long[] numbers = new long[batch.rowCount()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = rows++;
    }
    List<Column> columns = new ArrayList<>(batch.columns());
    columns.add(new LongColumn(DataType.BIGINT, numbers, null));
    return new Batch(schema, columns, numbers.length);
  }

  /** All probe rows of this stream have been added. */
  void end() {
    side.seal();
    boolean gathers = spec.type().emitsLeftAtEnd();
    if (gathers) {
      build.addProbe(side);
    }
    joins = shared.probed() || !gathers;
    for (int p = 0; p < build.parts() && joins; p++) {
      join.add(
          new SpilledJoin.Part(
              build.build(p), gathers ? build.probe(p) : side.part(p), 1, true, false));
    }
  }

  @Nullable Batch next() {
    if (!joins) {
      return null;
    }
    if (!numbered) {
      return join.next();
    }
    SortedRuns sorted = runs;
    if (sorted == null) {
      sorted = sorted();
      runs = sorted;
    }
    Batch batch = sorted.next();
    if (batch == null) {
      return null;
    }
    int[] columns = new int[joined.size() - 1];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = c;
    }
    return batch.select(columns).withSchema(spec.node().schema());
  }

  private SortedRuns sorted() {
    LexOrdering order =
        LexOrdering.of(new SortExpr(ColumnExpr.of(joined, joined.size() - 1), SortOptions.ASC));
    SortedRuns sorted =
        new SortedRuns(
            joined, new OrderingKeys(order, context), memory, spill, Long.MAX_VALUE, context);
    long batchBytes = SpilledSide.batchBytes(context);
    SpillFile run = null;
    int pass = 0;
    Batch batch;
    while ((batch = join.next()) != null) {
      if (run == null || join.pass() != pass) {
        if (run != null) {
          sorted.add(run);
        }
        run = spill.create(joined, batchBytes);
        pass = join.pass();
      }
      spill.append(run, batch);
    }
    if (run != null) {
      sorted.add(run);
    }
    join.close();
    return sorted;
  }

  @Override
  public void close() {
    SortedRuns sorted = runs;
    if (sorted != null) {
      sorted.close();
    }
    join.close();
    spill.close();
    memory.close();
  }
}
