package dev.varve.writer;

import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.port.SinkPlan;
import dev.varve.engine.type.Field;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.upkeep.UploadLog;
import dev.varve.writer.option.OptionReader;
import dev.varve.writer.sink.CopyPlan;
import dev.varve.writer.sink.InsertPlan;
import java.util.List;
import java.util.Map;

/** Sinks that write Parquet: into Iceberg tables, and to files. Safe for concurrent use. */
public final class WriterSinkFactory implements SinkFactory {
  private final LayoutIndex layoutIndex;
  private final UploadLog uploads;
  private final boolean parallel;

  public WriterSinkFactory(LayoutIndex layoutIndex) {
    this(layoutIndex, UploadLog.none(), true);
  }

  public WriterSinkFactory(LayoutIndex layoutIndex, UploadLog uploads) {
    this(layoutIndex, uploads, true);
  }

  public WriterSinkFactory(LayoutIndex layoutIndex, boolean parallel) {
    this(layoutIndex, UploadLog.none(), parallel);
  }

  /**
   * @param uploads told of every file of a table before it is written
   * @param parallel whether columns are encoded in tasks of their own; the files are the same
   */
  private WriterSinkFactory(LayoutIndex layoutIndex, UploadLog uploads, boolean parallel) {
    this.layoutIndex = layoutIndex;
    this.uploads = uploads;
    this.parallel = parallel;
  }

  @Override
  public Map<String, String> tableProperties(Map<String, String> options, List<Field> columns) {
    return OptionReader.toProperties(options, columns.stream().map(Field::name).toList());
  }

  @Override
  public SinkPlan insert(InsertTarget target) {
    return new InsertPlan(target, layoutIndex, uploads, parallel);
  }

  @Override
  public SinkPlan copy(CopyTarget target) {
    return new CopyPlan(target, parallel);
  }
}
