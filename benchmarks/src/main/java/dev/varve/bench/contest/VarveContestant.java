package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;
import dev.varve.bench.arrow.ArrowWriter;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.QueryProgress;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;

/** Our engine in this process. Confined to one thread. */
public final class VarveContestant implements Contestant {
  private final QueryEngine engine;
  private final Session session;
  private final Session preparing;
  private final BufferAllocator allocator = new RootAllocator();
  private final List<Long> planning = new ArrayList<>();
  private long peak;

  /** Takes the engine over. */
  public VarveContestant(QueryEngine engine) {
    this.engine = engine;
    Principal principal = new Principal("bench", Set.of());
    this.session = engine.openSession(principal);
    this.preparing = engine.openSession(principal);
    if (PlanCache.exists()) {
      run(preparing, "SET " + PlanCache.SETTING + " = 'on'", List.of(), ArrowSink.counting());
    }
  }

  @Override
  public String name() {
    return "varve";
  }

  @Override
  public void run(String sql, ArrowSink sink) {
    run(session, sql, List.of(), sink);
  }

  /** In a session that keeps plans: a statement that is sent again finds its own. */
  @Override
  public void lookUp(String sql, long[] parameters, ArrowSink sink) {
    for (long parameter : parameters) {
      run(preparing, sql, List.of(parameter), sink);
    }
  }

  private void run(Session session, String sql, List<@Nullable Object> parameters, ArrowSink sink) {
    try (QueryHandle query = session.submit(sql, parameters);
        ArrowWriter writer = new ArrowWriter(query.schema(), allocator)) {
      for (Batch batch = query.nextBatch(); batch != null; batch = query.nextBatch()) {
        sink.accept(writer.write(batch));
      }
      QueryProgress progress = query.progress();
      peak = Math.max(peak, progress.memoryPeakBytes());
      planning.add(progress.planningCpuMicros());
    }
  }

  @Override
  public OptionalLong peakBytes(Workload work) {
    peak = 0;
    work.run(this, ArrowSink.counting());
    return OptionalLong.of(peak);
  }

  /** Forgets what planning took up to now. */
  public void forgetPlanning() {
    planning.clear();
  }

  /** Median of the processor time of planning since {@link #forgetPlanning}. */
  public double planningMillis() {
    return planning.stream().sorted().skip(planning.size() / 2).findFirst().orElse(0L) / 1e3;
  }

  /** The plan of a query as EXPLAIN prints it. */
  public String explain(String sql, List<@Nullable Object> parameters) {
    StringBuilder text = new StringBuilder();
    run(
        session,
        "EXPLAIN " + sql,
        parameters,
        batch -> {
          for (int row = 0; row < batch.getRowCount(); row++) {
            text.append(batch.getVector(0).getObject(row)).append('\n');
          }
        });
    return text.toString();
  }

  @Override
  public void close() {
    engine.close();
    allocator.close();
  }
}
