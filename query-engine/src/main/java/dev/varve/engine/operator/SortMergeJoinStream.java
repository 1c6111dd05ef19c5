package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.kernel.key.MergeKeys;
import dev.varve.engine.runtime.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * Walks over two inputs in the order of their keys. Rows of the streamed side are looked at one
 * after the other; the rows of the other side that have the same key are a {@link MergeGroup},
 * which stays while streamed rows have its key, over any number of batches of both sides.
 */
final class SortMergeJoinStream extends OperatorStream {
  private final SortMergeJoinExec.Roles roles;
  private final boolean hasResidual;
  private final MergeSide streamed;
  private final MergeSide buffered;
  private final MergeGroup group;
  private final MergedPairs pairs;
  private final OperatorMemory memory;
  private final OperatorSpill spill;

  private boolean ended;

  // Where the work on a group stands: streamed rows [row, runEnd) against the group's chunks.
  private boolean inRun;
  private int runEnd;
  private int runRow;
  private MergeGroup.@Nullable Chunk chunk;
  private int chunkRow;
  private boolean endsRows;

  // Where the search for unmatched rows of a finished group stands.
  private boolean inTail;

  SortMergeJoinStream(SortMergeJoinExec node, int partition, TaskContext context) {
    super(node, context);
    this.roles = node.roles();
    this.hasResidual = node.residual().isPresent();
    this.memory = new OperatorMemory(context.reserve("SortMergeJoinExec", true), node.metrics());
    this.spill = new OperatorSpill("SortMergeJoinExec", context, node.metrics());
    boolean[] nullsEqual = new boolean[node.on().size()];
    for (int k = 0; k < nullsEqual.length; k++) {
      nullsEqual[k] = node.on().get(k).nullsEqual();
    }
    MergeSide left =
        new MergeSide(
            node.left().execute(partition, context),
            new OrderingKeys(node.ordering(0), context),
            nullsEqual);
    MergeSide right =
        new MergeSide(
            node.right().execute(partition, context),
            new OrderingKeys(node.ordering(1), context),
            nullsEqual);
    this.streamed = roles.streamedIsLeft() ? left : right;
    this.buffered = roles.streamedIsLeft() ? right : left;
    this.group =
        new MergeGroup(roles.bufferedSchema(), memory, spill, roles.keepsBuffered() && hasResidual);
    this.pairs = new MergedPairs(node, context);
  }

  @Override
  @Nullable Batch produce() {
    while (!ended) {
      context.query().cancellation().check();
      Batch output = step();
      if (output != null) {
        return output;
      }
    }
    return pairs.isEmpty() ? null : pairs.flush();
  }

  /** Goes on until rows can be given, or something has changed. */
  private @Nullable Batch step() {
    if (pairs.room() == 0) {
      return pairs.flush();
    }
    if (inTail) {
      return tail();
    }
    if (inRun) {
      return run();
    }
    if (!streamed.hasRow() && !streamed.ended()) {
      if (!pairs.isEmpty()) {
        return pairs.flush();
      }
      streamed.take(pull(streamed.stream()));
      if (!streamed.ended()) {
        pairs.streamed(streamed.batch());
      }
    }
    if (group.isOpen()) {
      if (streamed.hasRow() && streamed.hasKey(group.key(), group.keyRow())) {
        startRun();
        return null;
      }
      return finishGroup();
    }
    if (!buffered.hasRow() && !buffered.ended()) {
      buffered.take(pull(buffered.stream()));
    }
    return advance();
  }

  private @Nullable Batch advance() {
    if (streamed.ended() && (buffered.ended() || !roles.keepsBuffered())) {
      return end();
    }
    if (buffered.ended() && !roles.keepsStreamed()) {
      return end();
    }
    if (streamed.ended()) {
      return skipBuffered(buffered.count());
    }
    if (buffered.ended()) {
      return skipStreamed(streamed.count());
    }
    if (!accept(buffered.batch())) {
      return pairs.flush();
    }
    if (streamed.mayExclude() && streamed.isExcluded()) {
      return skipStreamed(streamed.row + 1);
    }
    if (buffered.mayExclude() && buffered.isExcluded()) {
      return skipBuffered(buffered.row + 1);
    }
    if (!hasResidual && roles.isInner() && !streamed.mayExclude() && !buffered.mayExclude()) {
      joinWithinBatches();
      if (!streamed.hasRow() || !buffered.hasRow() || pairs.room() == 0) {
        return null;
      }
    }
    int order = streamed.compareTo(buffered);
    if (order < 0) {
      return skipStreamed(streamed.endBelow(buffered));
    }
    if (order > 0) {
      return skipBuffered(buffered.endBelow(streamed));
    }
    collectGroup();
    return null;
  }

  private @Nullable Batch end() {
    ended = true;
    streamed.stream().close();
    buffered.stream().close();
    return null;
  }

  private boolean accept(Batch batch) {
    if (!pairs.accepts(batch)) {
      return false;
    }
    pairs.buffered(batch, null, null);
    return true;
  }

  /** Streamed rows up to {@code end} match nothing. */
  private @Nullable Batch skipStreamed(int end) {
    if (!roles.keepsStreamed()) {
      streamed.row = end;
      return null;
    }
    int to = Math.min(end, streamed.row + pairs.room());
    while (streamed.row < to) {
      pairs.unmatchedStreamed(streamed.row++);
    }
    return null;
  }

  private @Nullable Batch skipBuffered(int end) {
    if (!roles.keepsBuffered()) {
      buffered.row = end;
      return null;
    }
    if (!accept(buffered.batch())) {
      return pairs.flush();
    }
    int to = Math.min(end, buffered.row + pairs.room());
    while (buffered.row < to) {
      pairs.unmatchedBuffered(buffered.row++);
    }
    return null;
  }

  /**
   * An inner join as far as keys do not reach the end of a batch, where they may go on in the next:
   * the common case, in one loop.
   */
  private void joinWithinBatches() {
    MergeKeys left = streamed.keys();
    MergeKeys right = buffered.keys();
    int i = streamed.row;
    int j = buffered.row;
    int room = pairs.room();
    while (true) {
      int order = left.compare(i, right, j);
      if (order < 0) {
        streamed.row = i;
        buffered.row = j;
        i = streamed.endBelow(buffered);
        if (i == left.count()) {
          break;
        }
        continue;
      }
      if (order > 0) {
        streamed.row = i;
        buffered.row = j;
        j = buffered.endBelow(streamed);
        if (j == right.count()) {
          break;
        }
        continue;
      }
      int iEnd = i + 1;
      while (iEnd < left.count() && left.equal(iEnd, left, i)) {
        iEnd++;
      }
      int jEnd = j + 1;
      while (jEnd < right.count() && right.equal(jEnd, right, j)) {
        jEnd++;
      }
      if (iEnd == left.count() || jEnd == right.count() || (long) (iEnd - i) * (jEnd - j) > room) {
        break;
      }
      room -= (iEnd - i) * (jEnd - j);
      for (int s = i; s < iEnd; s++) {
        for (int b = j; b < jEnd; b++) {
          pairs.pair(s, b);
        }
      }
      i = iEnd;
      j = jEnd;
    }
    streamed.row = i;
    buffered.row = j;
  }

  /** The buffered rows with the key that both sides are at. */
  private void collectGroup() {
    MergeKeys key = buffered.keys();
    int keyRow = buffered.row;
    group.begin(key, keyRow);
    while (true) {
      int end = buffered.endOfKey(key, keyRow);
      if (roles.pairs() || hasResidual) {
        group.add(buffered.batch(), buffered.row, end);
      }
      boolean mayGoOn = end == buffered.count();
      buffered.row = end;
      if (!mayGoOn) {
        break;
      }
      buffered.take(pull(buffered.stream()));
      if (buffered.ended() || !buffered.hasKey(key, keyRow)) {
        break;
      }
    }
    group.complete();
    metrics().add("key_groups_buffered", 1);
  }

  /** Streamed rows of this batch with the group's key. */
  private void startRun() {
    runEnd = streamed.endOfKey(group.key(), group.keyRow());
    if (!roles.pairs() && !hasResidual) {
      inRun = true;
      runRow = streamed.row;
      endsRows = true;
      return;
    }
    group.rewind();
    inRun = true;
    chunk = null;
    runRow = streamed.row;
    chunkRow = 0;
    endsRows = false;
  }

  private @Nullable Batch run() {
    if (endsRows) {
      return endRows();
    }
    MergeGroup.Chunk current = chunk;
    if (current == null) {
      current = group.nextChunk();
      if (current == null) {
        endsRows = true;
        runRow = streamed.row;
        return null;
      }
      chunk = current;
      runRow = streamed.row;
      chunkRow = current.from();
    }
    boolean endsEach = hasResidual && group.isOneChunk();
    if (!pairs.accepts(current.batch())) {
      return pairs.flush();
    }
    pairs.buffered(current.batch(), current, group);
    while (runRow < runEnd) {
      int to = Math.min(current.to(), chunkRow + pairs.room());
      if (hasResidual && !roles.pairs() && pairs.isMatched(runRow)) {
        // One match decides: the rest of the group is passed over.
        to = chunkRow = current.to();
      }
      while (chunkRow < to) {
        pairs.pair(runRow, chunkRow++);
      }
      if (chunkRow < current.to() || (endsEach && pairs.room() == 0)) {
        return pairs.flush();
      }
      if (endsEach) {
        pairs.endOfRow(runRow);
      }
      runRow++;
      chunkRow = current.from();
    }
    chunk = null;
    if (endsEach) {
      finishRun();
    }
    return null;
  }

  /** What becomes of the streamed rows themselves, all of their candidates having been seen. */
  private @Nullable Batch endRows() {
    boolean decides = hasResidual ? roles.decidesRows() : roles.isSemi();
    while (decides && runRow < runEnd) {
      if (pairs.room() == 0) {
        return pairs.flush();
      }
      if (hasResidual) {
        pairs.endOfRow(runRow++);
      } else {
        pairs.unmatchedStreamed(runRow++);
      }
    }
    finishRun();
    return null;
  }

  private void finishRun() {
    inRun = false;
    endsRows = false;
    streamed.row = runEnd;
  }

  private @Nullable Batch finishGroup() {
    if (hasResidual && roles.keepsBuffered()) {
      // Candidates that are still pending decide which rows were matched.
      if (!pairs.isEmpty()) {
        return pairs.flush();
      }
      group.rewind();
      chunk = null;
      inTail = true;
      return null;
    }
    group.clear();
    return null;
  }

  /** The buffered rows of a finished group that no streamed row matched. */
  private @Nullable Batch tail() {
    MergeGroup.Chunk current = chunk;
    if (current == null) {
      current = group.nextChunk();
      if (current == null) {
        inTail = false;
        Batch output = pairs.isEmpty() ? null : pairs.flush();
        group.clear();
        return output;
      }
      chunk = current;
      chunkRow = current.from();
    }
    if (!pairs.accepts(current.batch())) {
      return pairs.flush();
    }
    pairs.buffered(current.batch(), current, group);
    while (chunkRow < current.to() && pairs.room() > 0) {
      if (!group.isMarked(current.firstIndex() + chunkRow - current.from())) {
        pairs.unmatchedBuffered(chunkRow);
      }
      chunkRow++;
    }
    if (chunkRow < current.to()) {
      return pairs.flush();
    }
    chunk = null;
    return null;
  }

  @Override
  void release() {
    streamed.stream().close();
    buffered.stream().close();
    group.clear();
    spill.close();
    memory.close();
  }
}
