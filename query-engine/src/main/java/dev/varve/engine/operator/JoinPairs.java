package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Predicates;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of build and probe rows that match, a slice at a time: the pairs of one probe row may
 * straddle slices. A build row of -1 stands for a probe row without a match. Confined to one task.
 */
final class JoinPairs {
  private final JoinSpec spec;
  private final TaskContext context;
  private final @Nullable PhysicalExpr residual;
  private final BitSet residualColumns;
  private final boolean addsUnmatchedProbeRows;
  private final int[] candidateBuild;
  private final int[] candidateProbe;
  private int[] buildRows;
  private int[] probeRows;
  private @Nullable JoinTable table;
  private @Nullable Batch probe;
  private int[] firsts = {};
  private byte[] probeMatched = {};
  private int probeRow;
  private int buildRow = -1;
  private boolean rowStarted;

  JoinPairs(JoinSpec spec, TaskContext context) {
    this.spec = spec;
    this.context = context;
    this.residual = spec.residual().orElse(null);
    this.residualColumns = residual == null ? new BitSet() : Exprs.columns(residual);
    this.addsUnmatchedProbeRows = spec.type().preservesRight();
    int size = context.batchSize();
    this.candidateBuild = new int[size];
    this.candidateProbe = new int[size];
    this.buildRows = candidateBuild;
    this.probeRows = candidateProbe;
  }

  private JoinTable table() {
    if (table == null) {
      throw new IllegalStateException("no probe batch");
    }
    return table;
  }

  private Batch probe() {
    if (probe == null) {
      throw new IllegalStateException("no probe batch");
    }
    return probe;
  }

  /** Starts a probe batch, with its keys where the join has any. */
  void start(JoinTable built, Batch batch, @Nullable RowKeys keys) {
    table = built;
    probe = batch;
    probeRow = 0;
    rowStarted = false;
    if (firsts.length < batch.rowCount()) {
      firsts = new int[batch.rowCount()];
      probeMatched = new byte[batch.rowCount()];
    }
    if (keys == null) {
      Arrays.fill(firsts, 0, batch.rowCount(), built.rowCount() > 0 ? 0 : -1);
    } else {
      built.first(keys, firsts);
    }
    Arrays.fill(probeMatched, 0, batch.rowCount(), (byte) 0);
  }

  /** Whether the probe batch has rows left. */
  boolean hasMore() {
    return probe != null && probeRow < probe.rowCount();
  }

  void clear() {
    table = null;
    probe = null;
  }

  int[] buildRows() {
    return buildRows;
  }

  /**
   * Finds the next slice of matching pairs, for joins that put rows together; where probe rows are
   * preserved, unmatched ones stand in their place.
   */
  int next() {
    buildRows = candidateBuild;
    probeRows = candidateProbe;
    if (residual == null) {
      return candidates(addsUnmatchedProbeRows);
    }
    int firstRow = probeRow;
    int count = candidates(false);
    int passed = test(residual, count);
    return addsUnmatchedProbeRows ? withUnmatched(firstRow, passed) : passed;
  }

  /** Fills the candidate pairs; with {@code unmatched} also rows that have none. */
  private int candidates(boolean unmatched) {
    JoinTable built = table();
    int rows = probe().rowCount();
    int size = candidateBuild.length;
    int count = 0;
    while (probeRow < rows && count < size) {
      if (!rowStarted) {
        buildRow = firsts[probeRow];
        rowStarted = true;
        if (buildRow < 0 && unmatched) {
          candidateBuild[count] = -1;
          candidateProbe[count++] = probeRow;
        }
      }
      while (buildRow >= 0 && count < size) {
        candidateBuild[count] = buildRow;
        candidateProbe[count++] = probeRow;
        buildRow = built.next(buildRow);
      }
      if (buildRow < 0) {
        probeRow++;
        rowStarted = false;
      }
    }
    return count;
  }

  /** Keeps the candidates that pass the residual, at the front. */
  private int test(PhysicalExpr predicate, int count) {
    if (count == 0) {
      return 0;
    }
    int leftSize = spec.left().schema().size();
    List<Column> columns = new ArrayList<>(spec.combined().size());
    for (int c = 0; c < spec.combined().size(); c++) {
      if (!residualColumns.get(c)) {
        columns.add(ConstantColumn.nulls(spec.combined().type(c), count));
      } else if (c < leftSize) {
        columns.add(table().rows().column(c).take(candidateBuild, count));
      } else {
        columns.add(probe().column(c - leftSize).take(candidateProbe, count));
      }
    }
    int[] selection = new int[count];
    int passed =
        Predicates.select(
            predicate,
            new Batch(spec.combined(), columns, count),
            context.query().eval(),
            selection);
    for (int i = 0; i < passed; i++) {
      candidateBuild[i] = candidateBuild[selection[i]];
      candidateProbe[i] = candidateProbe[selection[i]];
      probeMatched[candidateProbe[i]] = 1;
    }
    return passed;
  }

  /** Puts the rows of [firstRow, probeRow) that never matched among the pairs. */
  private int withUnmatched(int firstRow, int passed) {
    int[] mergedBuild = new int[passed + probeRow - firstRow];
    int[] mergedProbe = new int[mergedBuild.length];
    int out = 0;
    int at = 0;
    for (int row = firstRow; row < probeRow; row++) {
      if (probeMatched[row] == 0) {
        mergedBuild[out] = -1;
        mergedProbe[out++] = row;
      }
      while (at < passed && candidateProbe[at] == row) {
        mergedBuild[out] = candidateBuild[at];
        mergedProbe[out++] = row;
        at++;
      }
    }
    while (at < passed) {
      mergedBuild[out] = candidateBuild[at];
      mergedProbe[out++] = candidateProbe[at++];
    }
    buildRows = mergedBuild;
    probeRows = mergedProbe;
    return out;
  }

  /** Marks the build rows of the slice as matched. */
  void markBuildRows(int count) {
    JoinTable built = table();
    for (int i = 0; i < count; i++) {
      if (buildRows[i] >= 0) {
        built.mark(buildRows[i]);
      }
    }
  }

  /** Marks the build rows that any row of the probe batch matches. */
  void markAllBuildRows() {
    JoinTable built = table();
    if (residual == null) {
      int rows = probe().rowCount();
      for (; probeRow < rows; probeRow++) {
        if (firsts[probeRow] >= 0) {
          built.markAll(firsts[probeRow]);
        }
      }
      return;
    }
    int passed = test(residual, candidates(false));
    for (int i = 0; i < passed; i++) {
      built.mark(candidateBuild[i]);
    }
  }

  /** The rows of the probe batch with a match, or without: for semi and anti joins. */
  int probeRows(boolean matched) {
    int rows = probe().rowCount();
    if (residual != null) {
      while (probeRow < rows) {
        context.query().cancellation().check();
        test(residual, candidates(false));
      }
    }
    probeRow = rows;
    int[] selected = new int[rows];
    int count = 0;
    for (int i = 0; i < rows; i++) {
      boolean has = residual == null ? firsts[i] >= 0 : probeMatched[i] != 0;
      selected[count] = i;
      count += has == matched ? 1 : 0;
    }
    probeRows = selected;
    return count;
  }

  /** The probe rows of the slice; the probe batch itself where it is all of them in order. */
  Batch takeProbe(int count) {
    Batch batch = probe();
    if (count == batch.rowCount() && isIdentity(count)) {
      return batch;
    }
    return batch.take(probeRows, count);
  }

  private boolean isIdentity(int count) {
    for (int i = 0; i < count; i++) {
      if (probeRows[i] != i) {
        return false;
      }
    }
    return true;
  }
}
