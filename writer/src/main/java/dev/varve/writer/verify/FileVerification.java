package dev.varve.writer.verify;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.layout.FileCheck;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.writer.verify.OrderVerification.Work;
import dev.varve.writer.verify.VerificationReport.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * Checks one file after the other, each in one pass over the key columns of all its orderings. The
 * rows are those of the file itself, deleted ones too: what is recorded holds for every snapshot.
 * Confined to one task.
 */
final class FileVerification {
  /** What keeps one file from being checked, and not the next. */
  private static final Set<ErrorCode> FILE_FAILURES =
      Set.of(
          ErrorCode.FILE_NOT_FOUND,
          ErrorCode.FILE_CORRUPT,
          ErrorCode.IO_ERROR,
          ErrorCode.FEATURE_NOT_SUPPORTED);

  private final ProcedureContext context;
  private final Table table;
  private final long snapshotId;
  private final Pace pace;
  private final VerificationReport report;

  FileVerification(
      ProcedureContext context,
      Table table,
      long snapshotId,
      Pace pace,
      VerificationReport report) {
    this.context = context;
    this.table = table;
    this.snapshotId = snapshotId;
    this.pace = pace;
    this.report = report;
  }

  void run(Work work) {
    List<TableOrdering> checkable = new ArrayList<>();
    for (TableOrdering ordering : work.orderings()) {
      if (OrderVerification.positions(table, fields(List.of(ordering))).isPresent()) {
        checkable.add(ordering);
      } else {
        unchecked(work, ordering, 0, "not checked: a column of the ordering was dropped");
      }
    }
    if (checkable.isEmpty()) {
      return;
    }
    try {
      check(new Work(work.file(), checkable));
    } catch (VarveException e) {
      if (!FILE_FAILURES.contains(e.code())) {
        throw e;
      }
      for (TableOrdering ordering : checkable) {
        unchecked(work, ordering, 0, "not checked: " + e.getMessage());
      }
    }
  }

  private void check(Work work) {
    FileFacts file = work.file();
    List<Integer> fields = fields(work.orderings());
    List<Integer> positions = OrderVerification.positions(table, fields).orElseThrow();
    List<OrderCheck> checks = new ArrayList<>();
    long rows = 0;
    boolean whole = true;
    try (BatchStream stream = context.rows(table, snapshotId, file, positions)) {
      for (TableOrdering ordering : work.orderings()) {
        checks.add(new OrderCheck(ordering, fields, stream.schema()));
      }
      double bytesPerRow = bytes(file, fields) / Math.max(1, file.recordCount());
      Batch batch = stream.next();
      for (; batch != null; batch = whole ? stream.next() : null) {
        context.checkCanceled();
        for (OrderCheck check : checks) {
          check.accept(batch);
        }
        rows += batch.rowCount();
        context.count("rows_verified", batch.rowCount());
        pace.read(batch.rowCount() * bytesPerRow);
        whole = !checks.stream().allMatch(OrderCheck::isViolated);
      }
    }
    if (whole && rows != file.recordCount()) {
      for (OrderCheck check : checks) {
        unchecked(
            work,
            check.ordering(),
            rows,
            "not checked: the file has "
                + rows
                + " rows, but the table says "
                + file.recordCount());
      }
      return;
    }
    for (OrderCheck check : checks) {
      record(file, check, rows);
    }
  }

  private void record(FileFacts file, OrderCheck check, long rows) {
    TableOrdering ordering = check.ordering();
    OrderingFact fact =
        check.isViolated()
            ? new OrderingFact(ordering, Trust.VIOLATED, Optional.empty())
            : new OrderingFact(ordering, Trust.VERIFIED, check.range());
    FileCheck found = new FileCheck(file.path(), file.sizeBytes(), file.etag(), List.of(fact));
    int recorded =
        context.blocking(
            () -> context.layoutIndex().record(table.uuid().toString(), List.of(found)));
    String what = check.isViolated() ? check.violation() : "every row is in order";
    Trust before = OrderVerification.trust(file, ordering);
    report.add(
        new Line(
            file.path(),
            OrderText.of(ordering, table.schema()),
            VerificationReport.text(before),
            VerificationReport.text(recorded > 0 ? fact.trust() : before),
            rows,
            recorded > 0 ? what : what + "; not recorded, the index does not know the file yet"));
  }

  private void unchecked(Work work, TableOrdering ordering, long rows, String why) {
    @Nullable String trust =
        VerificationReport.text(OrderVerification.trust(work.file(), ordering));
    report.add(
        new Line(
            work.file().path(), OrderText.of(ordering, table.schema()), trust, trust, rows, why));
  }

  private static List<Integer> fields(List<TableOrdering> orderings) {
    return orderings.stream()
        .flatMap(ordering -> ordering.fields().stream())
        .map(OrderingField::fieldId)
        .distinct()
        .toList();
  }

  /** About what the key columns take of the file. */
  private double bytes(FileFacts file, List<Integer> fields) {
    double bytes = 0;
    double share = (double) file.sizeBytes() / Math.max(1, table.schema().columns().size());
    for (int field : fields) {
      OptionalLong known = file.column(field).sizeBytes();
      bytes += known.isPresent() ? known.getAsLong() : share;
    }
    return bytes;
  }
}
