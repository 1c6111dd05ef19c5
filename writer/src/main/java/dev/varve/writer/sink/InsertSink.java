package dev.varve.writer.sink;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.port.WorkContext;
import dev.varve.layout.upkeep.UploadLog;
import dev.varve.writer.commit.CommitOutcome;
import dev.varve.writer.commit.NewFiles;
import dev.varve.writer.commit.TableCommit;
import dev.varve.writer.commit.TableFiles;
import dev.varve.writer.parquet.ParquetWriter;
import dev.varve.writer.parquet.WriteTask;
import dev.varve.writer.parquet.WrittenFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;

/** Writes the rows of one statement into new files of a table and commits them. */
final class InsertSink implements TableSink {
  private final InsertPlan plan;
  private final WorkContext context;
  private final NewFiles files;
  private final ParquetWriter writer;

  InsertSink(InsertPlan plan, WorkContext context) {
    this.plan = plan;
    this.context = context;
    this.files = new NewFiles(plan.table(), plan.uploads());
    this.writer =
        new ParquetWriter(
            context,
            new WriteTask(
                plan.columns(),
                plan.input(),
                plan.options(),
                plan.order().columns(),
                true,
                files::next,
                Map.of("iceberg.schema", SchemaParser.toJson(plan.table().schema())),
                plan.isParallel()));
  }

  @Override
  public void write(Batch batch) {
    writer.write(batch);
  }

  @Override
  public SinkResult finish() {
    List<WrittenFile> written = writer.finish(false);
    long rows = writer.rows();
    long bytes = written.stream().mapToLong(WrittenFile::sizeBytes).sum();
    if (written.isEmpty() && plan.transaction().isEmpty()) {
      return new SinkResult(0, 0, 0, -1);
    }
    Table table = plan.table();
    if (!written.isEmpty()) {
      plan.layoutIndex()
          .stage(table.uuid().toString(), TableFiles.facts(written, table, plan.order()));
    }
    context.checkCanceled();
    CommitOutcome outcome = context.blocking(() -> commit(written));
    return switch (outcome) {
      case CommitOutcome.Committed committed -> {
        files.keep();
        yield new SinkResult(rows, written.size(), bytes, committed.snapshotId());
      }
      case CommitOutcome.Unknown unknown -> {
        files.keep();
        throw TableCommit.failure(unknown, table, context.queryId());
      }
      case CommitOutcome.Conflict conflict ->
          throw TableCommit.failure(conflict, table, context.queryId());
      case CommitOutcome.Failed failed ->
          throw TableCommit.failure(failed, table, context.queryId());
    };
  }

  private CommitOutcome commit(List<WrittenFile> written) {
    Optional<Transaction> transaction = plan.transaction();
    if (transaction.isEmpty()) {
      return TableCommit.run(
          () -> append(plan.table().newAppend(), written).commit(),
          plan.table(),
          context.queryId());
    }
    return TableCommit.run(
        () -> {
          if (!written.isEmpty()) {
            append(transaction.get().newAppend(), written).commit();
          }
          transaction.get().commitTransaction();
        },
        plan.table(),
        context.queryId());
  }

  private AppendFiles append(AppendFiles append, List<WrittenFile> written) {
    TableFiles.dataFiles(written, plan.table(), plan.order()).forEach(append::appendFile);
    return append
        .set(TableCommit.QUERY_ID, context.queryId())
        .set(UploadLog.UPLOAD_ID, files.uploadId());
  }

  /** Removes whatever was not committed; after {@link #finish} there is nothing to remove. */
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
