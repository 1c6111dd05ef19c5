package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Predicates;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Schema;
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
  private final Schema combined;
  private final boolean addsUnmatchedProbeRows;
  private final int[] candidateBuild;
  private final int[] candidateProbe;
  private int[] buildRows;
  private int[] probeRows;
  private @Nullable JoinTable table;
  private JoinIndex.@Nullable Finder finder;
  private @Nullable Batch probe;
  private int[] firsts = {};
  private byte[] probeMatched = {};
  private int probeRow;
  private int buildRow = -1;
  private boolean rowStarted;
  private boolean wholeProbe;

  JoinPairs(JoinSpec spec, TaskContext context) {
    this.spec = spec;
    this.context = context;
    this.residual = spec.residual().orElse(null);
    this.residualColumns = residual == null ? new BitSet() : Exprs.columns(residual);
    this.combined = spec.combined();
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

  /** Starts a probe batch, with its key columns where the join has any. */
  void start(JoinTable built, Batch batch, Column[] keys) {
    probe = batch;
    probeRow = 0;
    rowStarted = false;
    int rows = batch.rowCount();
    if (firsts.length < rows) {
      firsts = new int[rows];
      probeMatched = new byte[rows];
    }
    JoinIndex.Finder known = finder;
    if (table != built || known == null) {
      table = built;
      known = built.hasKeys() ? built.finder() : JoinPairs::everyRow;
      finder = known;
    }
    if (built.rowCount() == 0) {
      Arrays.fill(firsts, 0, rows, -1);
    } else {
      known.find(keys, rows, firsts);
    }
    if (residual != null) {
      Arrays.fill(probeMatched, 0, rows, (byte) 0);
    }
  }

  /** Without keys each probe row may match from the first build row on. */
  private static void everyRow(Column[] keys, int count, int[] firsts) {
    Arrays.fill(firsts, 0, count, 0);
  }

  /** Whether the probe batch has rows left. */
  boolean hasMore() {
    return probe != null && probeRow < probe.rowCount();
  }

  void clear() {
    table = null;
    finder = null;
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
    wholeProbe = false;
    if (residual == null) {
      return table().isUnique() ? unique() : candidates(addsUnmatchedProbeRows);
    }
    int firstRow = probeRow;
    int count = candidates(false);
    int passed = test(residual, count);
    return addsUnmatchedProbeRows ? withUnmatched(firstRow, passed) : passed;
  }

  /** The pairs of the next probe rows where a row has one match at most. */
  private int unique() {
    int from = probeRow;
    int to = Math.min(probe().rowCount(), from + candidateBuild.length);
    boolean whole = from == 0 && to == probe().rowCount();
    int keep = addsUnmatchedProbeRows ? 1 : 0;
    int count = 0;
    for (int row = from; row < to; row++) {
      int first = firsts[row];
      candidateBuild[count] = first;
      candidateProbe[count] = row;
      count += keep | ~first >>> 31;
    }
    probeRow = to;
    wholeProbe = whole && count == to;
    return count;
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
    List<Column> columns = new ArrayList<>(combined.size());
    for (int c = 0; c < combined.size(); c++) {
      if (!residualColumns.get(c)) {
        columns.add(ConstantColumn.nulls(combined.type(c), count));
      } else if (c < leftSize) {
        columns.add(table().column(c).take(candidateBuild, count));
      } else {
        columns.add(probe().column(c - leftSize).take(candidateProbe, count));
      }
    }
    int[] selection = new int[count];
    int passed =
        Predicates.select(
            predicate, new Batch(combined, columns, count), context.query().eval(), selection);
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
    int count = candidates(false);
    int unmarked = 0;
    for (int i = 0; i < count; i++) {
      candidateBuild[unmarked] = candidateBuild[i];
      candidateProbe[unmarked] = candidateProbe[i];
      unmarked += built.isMatched(candidateBuild[i]) ? 0 : 1;
    }
    int passed = test(residual, unmarked);
    for (int i = 0; i < passed; i++) {
      built.mark(candidateBuild[i]);
    }
  }

  /**
   * Tests the candidates of each probe row until one passes: some of each row at a time, and no
   * more of a row that has its match.
   */
  private void testUntilMatched(PhysicalExpr predicate) {
    JoinTable built = table();
    int size = candidateBuild.length;
    int rows = probe().rowCount();
    int[] open = new int[rows];
    int[] cursors = new int[rows];
    int count = 0;
    for (int row = 0; row < rows; row++) {
      open[count] = row;
      cursors[count] = firsts[row];
      count += ~firsts[row] >>> 31;
    }
    while (count > 0) {
      context.query().cancellation().check();
      int each = Math.max(1, size / count);
      for (int at = 0; at < count; ) {
        int pairs = 0;
        for (; at < count && pairs + each <= size; at++) {
          int candidate = cursors[at];
          for (int i = 0; i < each && candidate >= 0; i++) {
            candidateBuild[pairs] = candidate;
            candidateProbe[pairs++] = open[at];
            candidate = built.next(candidate);
          }
          cursors[at] = candidate;
        }
        test(predicate, pairs);
      }
      int left = 0;
      for (int i = 0; i < count; i++) {
        int row = open[i];
        int cursor = cursors[i];
        open[left] = row;
        cursors[left] = cursor;
        left += probeMatched[row] == 0 && cursor >= 0 ? 1 : 0;
      }
      count = left;
    }
  }

  /** The rows of the probe batch with a match, or without: for semi and anti joins. */
  int probeRows(boolean matched) {
    int rows = probe().rowCount();
    if (residual != null) {
      testUntilMatched(residual);
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
    wholeProbe = count == rows;
    return count;
  }

  /** Flags the probe rows of the slice, the first row of the batch being number {@code base}. */
  void flagProbeRows(BitSet flags, int base, int count) {
    for (int i = 0; i < count; i++) {
      flags.set(base + probeRows[i]);
    }
  }

  /** A probe column of the slice's pairs; the column itself where they are all rows in order. */
  Column takeProbe(int column, int count) {
    Column all = probe().column(column);
    return wholeProbe ? all : all.take(probeRows, count);
  }
}
