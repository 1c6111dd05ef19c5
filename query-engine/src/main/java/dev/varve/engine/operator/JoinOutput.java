package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts the output of a join together from rows of its sides. Confined to one task. */
final class JoinOutput {
  private final Schema schema;
  private final Schema left;
  private final Schema right;
  private final List<Integer> output;
  private final int batchSize;

  /**
   * @param output for each column its position among the left columns followed by the right ones
   * @param right the columns of the probe side's batches
   */
  JoinOutput(Schema schema, Schema left, Schema right, List<Integer> output, int batchSize) {
    this.schema = schema;
    this.left = left;
    this.right = right;
    this.output = List.copyOf(output);
    this.batchSize = batchSize;
  }

  /** The next rows of a join of this type that the current probe batch gives; null if none. */
  @Nullable Batch advance(JoinType type, JoinTable table, JoinPairs pairs) {
    return switch (type) {
      case INNER, LEFT, RIGHT, FULL -> {
        int count = pairs.next();
        if (type.preservesLeft()) {
          pairs.markBuildRows(count);
        }
        yield count == 0 ? null : joined(table, pairs, count);
      }
      case LEFT_SEMI, LEFT_ANTI -> {
        pairs.markAllBuildRows();
        yield null;
      }
      case RIGHT_SEMI, RIGHT_ANTI -> {
        int count = pairs.probeRows(type == JoinType.RIGHT_SEMI);
        yield count == 0 ? null : joined(table, pairs, count);
      }
    };
  }

  private Batch joined(JoinTable table, JoinPairs pairs, int count) {
    List<Column> columns = new ArrayList<>(output.size());
    for (int position : output) {
      columns.add(
          position < left.size()
              ? table.column(position).take(pairs.buildRows(), count)
              : pairs.takeProbe(position - left.size(), count));
    }
    return new Batch(schema, columns, count);
  }

  /** Rows of the probe side alone, with nulls for the left columns. */
  Batch probeRows(Batch probe, int[] rows, int count) {
    List<Column> columns = new ArrayList<>(output.size());
    for (int position : output) {
      columns.add(
          position < left.size()
              ? ConstantColumn.nulls(left.type(position), count)
              : probe.column(position - left.size()).take(rows, count));
    }
    return new Batch(schema, columns, count);
  }

  /** A walk over the build rows that come out after all probe rows. */
  final class Tail {
    private final JoinTable table;
    private final boolean matched;
    private int row;

    /** Those with a match, or for all but semi joins those without. */
    Tail(JoinTable table, JoinType type) {
      this.table = table;
      this.matched = type == JoinType.LEFT_SEMI;
    }

    /** The next of them; null at the end. */
    @Nullable Batch next() {
      int[] rows = new int[batchSize];
      int count = 0;
      while (row < table.rowCount() && count < rows.length) {
        rows[count] = row;
        count += table.isMatched(row) == matched ? 1 : 0;
        row++;
      }
      return count == 0 ? null : buildRows(table, rows, count);
    }
  }

  private Batch buildRows(JoinTable table, int[] rows, int count) {
    List<Column> columns = new ArrayList<>(output.size());
    for (int position : output) {
      columns.add(
          position < left.size()
              ? table.column(position).take(rows, count)
              : ConstantColumn.nulls(right.type(position - left.size()), count));
    }
    return new Batch(schema, columns, count);
  }
}
