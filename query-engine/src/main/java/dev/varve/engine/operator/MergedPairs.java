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
 * Collects the rows of a merge join's output as pairs of row numbers, of one streamed and one
 * buffered batch, and gathers them. With a residual a pair is only a candidate: it is tested when
 * the pairs are gathered, and the mark behind a streamed row's last candidate decides then what
 * becomes of the row itself. Confined to one task.
 */
final class MergedPairs {
  private static final int NO_ROW = -1;

  /** In place of a buffered row: all candidates of the streamed row have been added. */
  private static final int END_OF_ROW = -2;

  private final SortMergeJoinExec.Roles roles;
  private final Schema output;
  private final int[] columns;
  private final int leftSize;
  private final Schema combined;
  private final @Nullable PhysicalExpr residual;
  private final BitSet residualColumns;
  private final TaskContext context;
  private final int[] streamedRows;
  private final int[] bufferedRows;
  private int count;
  private @Nullable Batch streamed;
  private @Nullable Batch buffered;
  private byte[] matched = {};
  private MergeGroup.@Nullable Chunk chunk;
  private @Nullable MergeGroup group;

  MergedPairs(SortMergeJoinExec node, TaskContext context) {
    this.roles = node.roles();
    this.output = node.schema();
    this.columns = node.output().stream().mapToInt(Integer::intValue).toArray();
    this.leftSize = node.left().schema().size();
    this.combined = node.left().schema().concat(node.right().schema());
    this.residual = node.residual().orElse(null);
    this.residualColumns = residual == null ? new BitSet() : Exprs.columns(residual);
    this.context = context;
    this.streamedRows = new int[context.batchSize()];
    this.bufferedRows = new int[context.batchSize()];
  }

  boolean isEmpty() {
    return count == 0;
  }

  int room() {
    return streamedRows.length - count;
  }

  /** The streamed rows that follow are of this batch; nothing is pending. */
  void streamed(Batch batch) {
    streamed = batch;
    if (residual != null) {
      if (matched.length < batch.rowCount()) {
        matched = new byte[batch.rowCount()];
      }
      Arrays.fill(matched, 0, batch.rowCount(), (byte) 0);
    }
  }

  /** Whether pairs with rows of this batch can be added before what is pending is gathered. */
  boolean accepts(Batch batch) {
    return count == 0 || buffered == batch || buffered == null;
  }

  /** The buffered rows that follow are of this batch, and of this chunk of a group if of any. */
  void buffered(Batch batch, MergeGroup.@Nullable Chunk part, @Nullable MergeGroup of) {
    buffered = batch;
    chunk = part;
    group = of;
  }

  void pair(int streamedRow, int bufferedRow) {
    streamedRows[count] = streamedRow;
    bufferedRows[count++] = bufferedRow;
  }

  void unmatchedStreamed(int row) {
    pair(row, NO_ROW);
  }

  void unmatchedBuffered(int row) {
    pair(NO_ROW, row);
  }

  void endOfRow(int streamedRow) {
    pair(streamedRow, END_OF_ROW);
  }

  /** Whether a candidate of the streamed row has passed already. */
  boolean isMatched(int streamedRow) {
    return matched[streamedRow] != 0;
  }

  /** The pending rows, none left; null if all of them failed the residual. */
  @Nullable Batch flush() {
    int size = residual == null ? count : tested(residual);
    count = 0;
    if (size == 0) {
      buffered = null;
      return null;
    }
    Side left = side(true, size);
    Side right = side(false, size);
    List<Column> gathered = new ArrayList<>(output.size());
    for (int column : columns) {
      gathered.add(
          column < leftSize ? left.column(column, size) : right.column(column - leftSize, size));
    }
    buffered = null;
    return new Batch(output, gathered, size);
  }

  /** The rows of one side in the output. */
  private record Side(@Nullable Batch batch, Schema schema, int[] rows, boolean consecutive) {
    /** Nulls, where no batch of the side has been seen; a slice where rows follow one another. */
    Column column(int index, int size) {
      if (batch == null) {
        return ConstantColumn.nulls(schema.type(index), size);
      }
      Column all = batch.column(index);
      return consecutive ? all.slice(rows[0], size) : all.take(rows, size);
    }
  }

  private Side side(boolean left, int size) {
    boolean fromStreamed = left == roles.streamedIsLeft();
    int[] rows = fromStreamed ? streamedRows : bufferedRows;
    return new Side(
        fromStreamed ? streamed : buffered,
        fromStreamed ? roles.streamedSchema() : roles.bufferedSchema(),
        rows,
        isConsecutive(rows, size));
  }

  private static boolean isConsecutive(int[] rows, int size) {
    int first = rows[0];
    if (first < 0 || rows[size - 1] - first != size - 1) {
      return false;
    }
    for (int i = 1; i < size; i++) {
      if (rows[i] != first + i) {
        return false;
      }
    }
    return true;
  }

  /** Tests the candidates and leaves the rows of the output at the front. */
  private int tested(PhysicalExpr predicate) {
    int[] candidates = new int[count];
    int[] left = new int[count];
    int[] right = new int[count];
    int tests = 0;
    for (int i = 0; i < count; i++) {
      if (streamedRows[i] >= 0 && bufferedRows[i] >= 0) {
        candidates[tests] = i;
        left[tests] = roles.streamedIsLeft() ? streamedRows[i] : bufferedRows[i];
        right[tests++] = roles.streamedIsLeft() ? bufferedRows[i] : streamedRows[i];
      }
    }
    byte[] passes = new byte[count];
    if (tests > 0) {
      int[] selection = new int[tests];
      int passed =
          Predicates.select(predicate, both(left, right, tests), context.query().eval(), selection);
      for (int i = 0; i < passed; i++) {
        passes[candidates[selection[i]]] = 1;
      }
    }
    int size = 0;
    for (int i = 0; i < count; i++) {
      int s = streamedRows[i];
      int b = bufferedRows[i];
      boolean emits;
      if (b == END_OF_ROW) {
        emits = roles.emitsRow(matched[s] != 0);
        b = NO_ROW;
      } else if (s < 0 || b < 0) {
        emits = true;
      } else {
        emits = passes[i] != 0 && roles.pairs();
        if (passes[i] != 0) {
          matched[s] = 1;
          mark(b);
        }
      }
      streamedRows[size] = s;
      bufferedRows[size] = b;
      size += emits ? 1 : 0;
    }
    return size;
  }

  private void mark(int bufferedRow) {
    MergeGroup of = group;
    MergeGroup.Chunk part = chunk;
    if (of != null && part != null && roles.keepsBuffered()) {
      of.mark(part.firstIndex() + bufferedRow - part.from());
    }
  }

  private Batch both(int[] left, int[] right, int size) {
    Batch leftBatch = roles.streamedIsLeft() ? streamed : buffered;
    Batch rightBatch = roles.streamedIsLeft() ? buffered : streamed;
    if (leftBatch == null || rightBatch == null) {
      throw new IllegalStateException("candidates of no batch");
    }
    List<Column> tested = new ArrayList<>(combined.size());
    for (int c = 0; c < combined.size(); c++) {
      tested.add(
          !residualColumns.get(c)
              ? ConstantColumn.nulls(combined.type(c), size)
              : c < leftSize
                  ? leftBatch.column(c).take(left, size)
                  : rightBatch.column(c - leftSize).take(right, size));
    }
    return new Batch(combined, tested, size);
  }
}
