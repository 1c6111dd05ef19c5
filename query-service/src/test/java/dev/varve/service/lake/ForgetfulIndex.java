package dev.varve.service.lake;

import dev.varve.layout.FileCheck;
import dev.varve.layout.FileFacts;
import dev.varve.layout.IndexState;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An index from whose answers a test takes facts away. Safe for concurrent use. */
final class ForgetfulIndex implements LayoutIndex {
  private final LayoutIndex index;
  private final AtomicLong changes = new AtomicLong();
  private final AtomicReference<@Nullable Runnable> atStage = new AtomicReference<>();
  private volatile UnaryOperator<FileFacts> change = facts -> facts;

  ForgetfulIndex(LayoutIndex index) {
    this.index = index;
  }

  /** From now on every file's facts go through {@code forget}. */
  void forget(UnaryOperator<FileFacts> forget) {
    change = forget;
    changes.incrementAndGet();
  }

  void remember() {
    change = facts -> facts;
    changes.incrementAndGet();
  }

  @Override
  public LayoutAnswer plan(LayoutQuery query) {
    return switch (index.plan(query)) {
      case LayoutAnswer.Complete complete ->
          new LayoutAnswer.Complete(
              complete.snapshotId(),
              complete.files().stream().map(change).toList(),
              complete.totalFiles(),
              complete.totalRows(),
              complete.totalBytes());
      case LayoutAnswer.NotIndexed unknown -> unknown;
    };
  }

  /** Runs {@code action} once, when the next facts are staged: new files are there by then. */
  void atNextStage(Runnable action) {
    atStage.set(action);
  }

  @Override
  public void stage(String tableUuid, List<FileFacts> files) {
    Runnable action = atStage.getAndSet(null);
    if (action != null) {
      action.run();
    }
    index.stage(tableUuid, files);
  }

  @Override
  public int record(String tableUuid, List<FileCheck> checks) {
    return index.record(tableUuid, checks);
  }

  @Override
  public long factsVersion(String tableUuid) {
    return index.factsVersion(tableUuid) + changes.get();
  }

  @Override
  public Optional<IndexState> state(String tableUuid, List<Long> snapshots) {
    return index.state(tableUuid, snapshots);
  }
}
