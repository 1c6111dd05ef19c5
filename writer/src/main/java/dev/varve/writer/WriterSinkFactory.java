package dev.varve.writer;

import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.port.SinkPlan;
import dev.varve.layout.LayoutIndex;

/** Sinks that write Parquet: into Iceberg tables, and to files. Safe for concurrent use. */
public final class WriterSinkFactory implements SinkFactory {
  private final LayoutIndex layoutIndex;

  public WriterSinkFactory(LayoutIndex layoutIndex) {
    this.layoutIndex = layoutIndex;
  }

  @Override
  public SinkPlan insert(InsertTarget target) {
    throw new IllegalStateException("not wired yet: " + layoutIndex);
  }

  @Override
  public SinkPlan copy(CopyTarget target) {
    throw new IllegalStateException("not wired yet: " + layoutIndex);
  }
}
