package dev.varve.writer.sink;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.port.WorkContext;
import dev.varve.writer.parquet.ParquetWriter;
import dev.varve.writer.parquet.WriteTask;
import dev.varve.writer.parquet.WrittenFile;
import java.util.List;
import java.util.Map;

/** Writes the rows of one COPY; its files appear under their names only when all are complete. */
final class CopySink implements TableSink {
  private final WorkContext context;
  private final CopyFiles files;
  private final ParquetWriter writer;

  CopySink(CopyPlan plan, WorkContext context) {
    this.context = context;
    this.files =
        context.blocking(
            () ->
                CopyFiles.open(
                    plan.target().path(),
                    plan.target().io(),
                    plan.isSingleFile(),
                    plan.isOverwrite()));
    this.writer =
        new ParquetWriter(
            context,
            new WriteTask(
                plan.columns(),
                plan.target().input(),
                plan.options(),
                plan.target().inputOrdering(),
                false,
                files::next,
                Map.of(),
                plan.isParallel()));
  }

  @Override
  public void write(Batch batch) {
    writer.write(batch);
  }

  @Override
  public SinkResult finish() {
    List<WrittenFile> written = writer.finish(true);
    context.checkCanceled();
    context.blocking(
        () -> {
          files.publish();
          return 0;
        });
    long bytes = written.stream().mapToLong(WrittenFile::sizeBytes).sum();
    return new SinkResult(writer.rows(), written.size(), bytes, -1);
  }

  @Override
  public void close() {
    writer.close();
    context.blocking(
        () -> {
          files.remove();
          return 0;
        });
  }
}
