package dev.varve.writer.compact;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.upkeep.UploadLog;
import dev.varve.writer.commit.CommitOutcome;
import dev.varve.writer.commit.TableCommit;
import dev.varve.writer.option.OptionReader;
import dev.varve.writer.order.TableOrder;
import dev.varve.writer.parquet.WrittenFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * One compaction of one table. Every group is a commit of its own, so what is done stays done; a
 * commit of someone else that touches the same files wins, and the rest is planned anew on what is
 * there then. Confined to one task.
 */
final class Compaction {
  /** Merging more files than can be open at once takes several rounds; each has fewer files. */
  private static final int MAX_ROUNDS = 8;

  private static final int MAX_CONFLICTS = 5;
  private static final int ROW_LINEAGE_VERSION = 3;

  private final ProcedureContext context;
  private final Table table;
  private final TableOrder order;
  private final CompactionOptions options;
  private final UploadLog uploads;
  private final CompactionReport report = new CompactionReport();
  private int conflicts;

  /**
   * @throws VarveException INVALID_PARAMETER for options that do not fit; FEATURE_NOT_SUPPORTED for
   *     a table that cannot be rewritten yet
   */
  Compaction(ProcedureContext context, Table table, String options, UploadLog uploads) {
    this.uploads = uploads;
    this.context = context;
    this.table = table;
    if (table.spec().isPartitioned()) {
      throw unsupported("it is partitioned");
    }
    if (TableUtil.formatVersion(table) >= ROW_LINEAGE_VERSION) {
      throw unsupported("its format keeps the lineage of rows, which a rewrite would lose");
    }
    this.order = TableOrder.of(table.schema(), table.sortOrder());
    List<String> columns = table.schema().columns().stream().map(Types.NestedField::name).toList();
    this.options =
        CompactionOptions.read(options, OptionReader.ofTable(table.properties(), columns), columns);
  }

  private VarveException unsupported(String reason) {
    return new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED,
        "table " + table.name() + " cannot be compacted yet: " + reason);
  }

  Batch run() {
    CompactionPlan last = null;
    for (int round = 0; round < MAX_ROUNDS; round++) {
      context.blocking(
          () -> {
            table.refresh();
            return 0;
          });
      Snapshot snapshot = table.currentSnapshot();
      if (snapshot == null) {
        break;
      }
      last =
          CompactionPlan.of(context.files(table, snapshot.snapshotId()), order.ordering(), options);
      if (last.groups().isEmpty() || !rewrite(last.groups(), snapshot)) {
        break;
      }
    }
    describeRest(last);
    return report.toBatch();
  }

  /** Rewrites all groups; false if another round would bring no more. */
  private boolean rewrite(List<CompactionGroup> groups, Snapshot snapshot) {
    boolean progress = false;
    Map<String, DataFile> files = context.blocking(() -> dataFiles(snapshot));
    GroupRewrite rewrite =
        new GroupRewrite(context, table, snapshot, order, options.writer(), uploads);
    for (CompactionGroup group : groups) {
      if (!files.keySet().containsAll(group.files().stream().map(FileFacts::path).toList())) {
        throw new IllegalStateException(
            "the facts of snapshot " + snapshot.snapshotId() + " name a file that is not in it");
      }
      GroupRewrite.Result result = rewrite.run(group, files);
      switch (result.outcome()) {
        case CommitOutcome.Committed _ -> {
          describe(group, result.files());
          progress |= group.depth() > 1 || result.files().size() < group.files().size();
        }
        case CommitOutcome.Conflict conflict -> {
          conflicts++;
          context.count("compaction_conflicts", 1);
          if (conflicts < MAX_CONFLICTS) {
            return true;
          }
          report.leftAlone(
              0, 0, group.sorted(), "gave way to other commits: " + conflict.cause().getMessage());
          return false;
        }
        case CommitOutcome.Failed failed ->
            throw TableCommit.failure(failed, table, context.queryId());
        case CommitOutcome.Unknown unknown ->
            throw TableCommit.failure(unknown, table, context.queryId());
      }
    }
    return progress;
  }

  private Map<String, DataFile> dataFiles(Snapshot snapshot) {
    Map<String, DataFile> files = new HashMap<>();
    try (CloseableIterable<FileScanTask> tasks =
        table.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
      for (FileScanTask task : tasks) {
        files.put(task.file().location(), task.file());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("planning " + table.name(), e);
    }
    return files;
  }

  private void describe(CompactionGroup group, List<WrittenFile> written) {
    long bytesWritten = written.stream().mapToLong(WrittenFile::sizeBytes).sum();
    long rows = written.stream().mapToLong(WrittenFile::rows).sum();
    context.count("compaction_groups", 1);
    context.count("files_written", written.size());
    context.count("rows_written", rows);
    context.count("bytes_written", bytesWritten);
    report.add(
        new CompactionReport.Line(
            group.files().size(),
            written.size(),
            rows,
            group.bytes(),
            bytesWritten,
            group.depth(),
            group.sorted() && !written.isEmpty() ? 1 : 0,
            group.sorted(),
            !group.sorted()
                ? "put together small files"
                : group.depth() > 1
                    ? "merged overlapping sorted files without a sort"
                    : "put together small sorted files in key order, without a sort"));
  }

  private void describeRest(@Nullable CompactionPlan last) {
    if (last == null) {
      report.leftAlone(0, 0, false, "the table has no rows");
      return;
    }
    if (!last.unverified().isEmpty()) {
      report.leftAlone(
          last.unverified().size(),
          0,
          false,
          "left alone: the table's order is not verified for "
              + names(last.unverified())
              + ", and merging them would need a sort");
    }
    if (report.isEmpty()) {
      boolean sorted = order.ordering().isPresent();
      report.leftAlone(
          last.kept().size(),
          last.keptDepth(),
          sorted,
          "nothing to do: no two small files can be put together"
              + (sorted ? ", and no files overlap" : ""));
    }
  }

  private static String names(List<FileFacts> files) {
    String first = files.getFirst().path();
    String name = first.substring(first.lastIndexOf('/') + 1);
    return files.size() == 1 ? name : name + " and " + (files.size() - 1) + " others";
  }
}
