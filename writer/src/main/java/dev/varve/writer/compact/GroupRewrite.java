package dev.varve.writer.compact;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.layout.upkeep.UploadLog;
import dev.varve.writer.commit.CommitOutcome;
import dev.varve.writer.commit.NewFiles;
import dev.varve.writer.commit.TableCommit;
import dev.varve.writer.commit.TableFiles;
import dev.varve.writer.option.WriterOptions;
import dev.varve.writer.order.TableOrder;
import dev.varve.writer.parquet.ParquetColumns;
import dev.varve.writer.parquet.ParquetWriter;
import dev.varve.writer.parquet.WriteTask;
import dev.varve.writer.parquet.WrittenFile;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;

/**
 * Rewrites the files of one group and commits that they are replaced.
 *
 * <p>The new files take the sequence number of the snapshot that was read: deletes up to it have
 * been applied to the rows, and later ones still apply to the files.
 */
final class GroupRewrite {
  /**
   * What encoders may hold before a row group is sealed early, however much memory there is: the
   * readers cannot do with less than they need, and the writer can. Enough for row groups of some
   * hundred thousand rows.
   */
  private static final long HELD_BYTES_PER_COLUMN = 3L << 19;

  private static final long LEAST_HELD_BYTES = 24L << 20;

  private final ProcedureContext context;
  private final Table table;
  private final Snapshot snapshot;
  private final TableOrder order;
  private final WriterOptions options;
  private final UploadLog uploads;

  GroupRewrite(
      ProcedureContext context,
      Table table,
      Snapshot snapshot,
      TableOrder order,
      WriterOptions options,
      UploadLog uploads) {
    this.context = context;
    this.uploads = uploads;
    this.table = table;
    this.snapshot = snapshot;
    this.order = order;
    this.options = options;
  }

  /** What came of a group; {@code files} are in the table only if the outcome is a commit. */
  record Result(CommitOutcome outcome, List<WrittenFile> files) {}

  Result run(CompactionGroup group, Map<String, DataFile> dataFiles) {
    NewFiles files = new NewFiles(table, uploads);
    boolean keep = false;
    try {
      List<WrittenFile> written = write(group, files);
      if (!written.isEmpty()) {
        context
            .layoutIndex()
            .stage(table.uuid().toString(), TableFiles.facts(written, table, order(group)));
      }
      context.checkCanceled();
      CommitOutcome outcome =
          context.blocking(() -> commit(group, written, dataFiles, files.uploadId()));
      keep = outcome instanceof CommitOutcome.Committed || outcome instanceof CommitOutcome.Unknown;
      return new Result(outcome, written);
    } finally {
      if (keep) {
        files.keep();
      } else {
        context.blocking(
            () -> {
              files.remove();
              return 0;
            });
      }
    }
  }

  private TableOrder order(CompactionGroup group) {
    return group.sorted() ? order : TableOrder.NONE;
  }

  private List<WrittenFile> write(CompactionGroup group, NewFiles files) {
    try (BatchStream rows =
            context.read(table, snapshot.snapshotId(), group.files(), order(group).columns());
        ParquetWriter writer =
            new ParquetWriter(
                context,
                new WriteTask(
                    ParquetColumns.of(table.schema(), rows.schema()),
                    rows.schema(),
                    evenFiles(group),
                    order(group).columns(),
                    true,
                    files::next,
                    Map.of("iceberg.schema", SchemaParser.toJson(table.schema())),
                    true))) {
      writer.limitHeldBytes(
          Math.max(LEAST_HELD_BYTES, HELD_BYTES_PER_COLUMN * table.schema().columns().size()));
      Batch batch = rows.next();
      for (; batch != null; batch = rows.next()) {
        writer.write(batch);
      }
      return writer.finish(false);
    }
  }

  /** Files of equal size near the target, rather than full ones and a rest. */
  private WriterOptions evenFiles(CompactionGroup group) {
    long target = options.targetFileBytes();
    long bytes = group.bytes();
    long count = Math.max(1, Math.round((double) bytes / target));
    return count == 1
        ? options.withTargetFileBytes(Math.max(target, 2 * bytes))
        : options.withTargetFileBytes(bytes / count + bytes / count / 20);
  }

  private CommitOutcome commit(
      CompactionGroup group,
      List<WrittenFile> written,
      Map<String, DataFile> dataFiles,
      String uploadId) {
    Set<DataFile> replaced = new HashSet<>();
    group.files().forEach(file -> replaced.add(dataFiles.get(file.path())));
    Set<DataFile> added = new HashSet<>(TableFiles.dataFiles(written, table, order(group)));
    return TableCommit.run(
        () -> {
          RewriteFiles rewrite = table.newRewrite().validateFromSnapshot(snapshot.snapshotId());
          replaced.forEach(rewrite::deleteFile);
          added.forEach(rewrite::addFile);
          if (TableUtil.formatVersion(table) > 1) {
            rewrite.dataSequenceNumber(snapshot.sequenceNumber());
          }
          rewrite
              .set(TableCommit.QUERY_ID, context.queryId())
              .set(UploadLog.UPLOAD_ID, uploadId)
              .commit();
        },
        table,
        context.queryId());
  }
}
