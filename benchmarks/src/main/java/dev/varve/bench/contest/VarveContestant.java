package dev.varve.bench.contest;

import dev.varve.bench.arrow.ArrowSink;
import dev.varve.bench.arrow.ArrowWriter;
import dev.varve.engine.QueryEngine;
import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.Principal;
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
  private final BufferAllocator allocator = new RootAllocator();

  /** Takes the engine over. */
  public VarveContestant(QueryEngine engine) {
    this.engine = engine;
    this.session = engine.openSession(new Principal("bench", Set.of()));
  }

  @Override
  public String name() {
    return "varve";
  }

  @Override
  public void run(String sql, ArrowSink sink) {
    run(sql, List.of(), sink);
  }

  public void run(String sql, List<@Nullable Object> parameters, ArrowSink sink) {
    try (QueryHandle query = session.submit(sql, parameters)) {
      drain(query, sink);
    }
  }

  private void drain(QueryHandle query, ArrowSink sink) {
    try (ArrowWriter writer = new ArrowWriter(query.schema(), allocator)) {
      for (Batch batch = query.nextBatch(); batch != null; batch = query.nextBatch()) {
        sink.accept(writer.write(batch));
      }
    }
  }

  @Override
  public OptionalLong peakBytes(String sql) {
    try (QueryHandle query = session.submit(sql)) {
      drain(query, ArrowSink.counting());
      return OptionalLong.of(query.progress().memoryPeakBytes());
    }
  }

  @Override
  public void close() {
    engine.close();
    allocator.close();
  }
}
