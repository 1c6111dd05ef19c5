package dev.varve.writer.verify;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.writer.order.TableOrder;
import dev.varve.writer.verify.VerifyOrderProcedure.Options;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * One verification of the files of a table's current snapshot, several at a time. What was found of
 * a file is recorded before the next is read: a cancelled verification keeps what it did. Confined
 * to one task.
 */
final class OrderVerification {
  private final ProcedureContext context;
  private final Table table;
  private final Options options;
  private final Optional<TableOrdering> declared;
  private final Optional<TableOrdering> chosen;

  OrderVerification(ProcedureContext context, Table table, Options options) {
    this.context = context;
    this.table = table;
    this.options = options;
    this.declared = TableOrder.of(table.schema(), table.sortOrder()).ordering();
    this.chosen = options.ordering().map(text -> OrderText.parse(text, table.schema()));
  }

  /** A file with the orderings to be checked in one pass over it. */
  record Work(FileFacts file, List<TableOrdering> orderings) {}

  Batch run() {
    try (MemoryReservation memory = context.reserve("verify_order", false)) {
      VerificationReport report = new VerificationReport(memory);
      Snapshot snapshot = table.currentSnapshot();
      if (snapshot != null) {
        verify(snapshot, report);
      }
      return report.toBatch();
    }
  }

  private void verify(Snapshot snapshot, VerificationReport report) {
    Queue<Work> work = new ConcurrentLinkedQueue<>();
    long known = 0;
    long nothing = 0;
    for (FileFacts file : context.files(table, snapshot.snapshotId())) {
      if (!options.files().map(pattern -> pattern.matches(file.path())).orElse(true)) {
        continue;
      }
      Set<TableOrdering> claims = claims(file);
      List<TableOrdering> open =
          claims.stream().filter(ordering -> options.recheck() || isOpen(file, ordering)).toList();
      if (!open.isEmpty()) {
        work.add(new Work(file, open));
      } else if (claims.isEmpty()) {
        nothing++;
      } else {
        known++;
      }
    }
    context.count("files_total", work.size());
    check(snapshot, work, report);
    passedOver(report, known, "of %d files it was known already");
    passedOver(report, nothing, "of %d files no order is claimed, and the table has none");
  }

  private static void passedOver(VerificationReport report, long files, String detail) {
    if (files > 0) {
      report.add(new VerificationReport.Line(null, null, null, null, 0, detail.formatted(files)));
    }
  }

  /** The orderings that a file may have: those asked for, or else its own and the table's. */
  private Set<TableOrdering> claims(FileFacts file) {
    Set<TableOrdering> claims = new LinkedHashSet<>();
    if (chosen.isPresent()) {
      claims.add(chosen.get());
      return claims;
    }
    file.orderings().forEach(fact -> claims.add(fact.ordering()));
    declared.ifPresent(claims::add);
    return claims;
  }

  private static boolean isOpen(FileFacts file, TableOrdering ordering) {
    Trust trust = trust(file, ordering);
    return trust == null || trust == Trust.ASSERTED;
  }

  /** What is known of an ordering, also by a longer one; null if nothing is. */
  static @Nullable Trust trust(FileFacts file, TableOrdering ordering) {
    Optional<OrderingFact> implied = file.ordering(ordering);
    if (implied.isPresent() && implied.get().trust() == Trust.VERIFIED) {
      return Trust.VERIFIED;
    }
    boolean violated =
        file.orderings().stream()
            .anyMatch(f -> f.trust() == Trust.VIOLATED && f.ordering().equals(ordering));
    return violated ? Trust.VIOLATED : implied.map(OrderingFact::trust).orElse(null);
  }

  private void check(Snapshot snapshot, Queue<Work> work, VerificationReport report) {
    if (work.isEmpty()) {
      return;
    }
    // Who is to be slow need not be many.
    int tasks =
        options.bytesPerSecond().isPresent()
            ? 1
            : Math.min(work.size(), Runtime.getRuntime().availableProcessors());
    Pace pace = new Pace(context, options.bytesPerSecond());
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    CountDownLatch running = new CountDownLatch(tasks - 1);
    for (int i = 1; i < tasks; i++) {
      context.spawn(
          "verify_order",
          () -> {
            try {
              checkAll(snapshot, work, pace, report, failure);
            } finally {
              running.countDown();
            }
          });
    }
    checkAll(snapshot, work, pace, report, failure);
    context.blocking(
        () -> {
          running.await();
          return 0;
        });
    rethrow(failure.get());
  }

  private void checkAll(
      Snapshot snapshot,
      Queue<Work> work,
      Pace pace,
      VerificationReport report,
      AtomicReference<@Nullable Throwable> failure) {
    try {
      FileVerification check =
          new FileVerification(context, table, snapshot.snapshotId(), pace, report);
      Work next = work.poll();
      for (; next != null && failure.get() == null; next = work.poll()) {
        check.run(next);
        context.count("files_verified", 1);
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private static void rethrow(@Nullable Throwable failure) {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  /** The positions of the columns that orderings are over; empty if one is not there. */
  static Optional<List<Integer>> positions(Table table, List<Integer> fieldIds) {
    List<Integer> positions = new ArrayList<>();
    var columns = table.schema().columns();
    for (int id : fieldIds) {
      for (int i = 0; i < columns.size(); i++) {
        if (columns.get(i).fieldId() == id) {
          positions.add(i);
        }
      }
    }
    return positions.size() == fieldIds.size() ? Optional.of(positions) : Optional.empty();
  }
}
