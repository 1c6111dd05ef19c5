package dev.varve.writer;

import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.type.Field;
import dev.varve.layout.LayoutIndex;
import dev.varve.writer.option.OptionReader;
import java.util.List;
import java.util.Map;

/** Sinks that write Parquet: into Iceberg tables, and to files. Safe for concurrent use. */
public final class WriterSinkFactory implements SinkFactory {
  private final LayoutIndex layoutIndex;

  public WriterSinkFactory(LayoutIndex layoutIndex) {
    this.layoutIndex = layoutIndex;
  }

  @Override
  public Map<String, String> tableProperties(Map<String, String> options, List<Field> columns) {
    return OptionReader.toProperties(options, columns.stream().map(Field::name).toList());
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
