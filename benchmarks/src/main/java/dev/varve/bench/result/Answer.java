package dev.varve.bench.result;

import dev.varve.bench.arrow.ArrowSink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.jspecify.annotations.Nullable;

/** All rows of a result that is small enough to be kept. */
public final class Answer implements ArrowSink {
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  @Override
  public void accept(VectorSchemaRoot batch) {
    List<FieldVector> vectors = batch.getFieldVectors();
    for (int row = 0; row < batch.getRowCount(); row++) {
      @Nullable Object[] cells = new @Nullable Object[vectors.size()];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = Cell.of(vectors.get(i), row);
      }
      rows.add(cells);
    }
  }

  public int size() {
    return rows.size();
  }

  /** What is different, row by row in the order in which they came; empty if nothing is. */
  public Optional<String> differenceFrom(Answer other) {
    if (rows.size() != other.rows.size()) {
      return Optional.of(rows.size() + " rows, not " + other.rows.size());
    }
    for (int row = 0; row < rows.size(); row++) {
      @Nullable Object[] ours = rows.get(row);
      @Nullable Object[] theirs = other.rows.get(row);
      boolean same = ours.length == theirs.length;
      for (int i = 0; same && i < ours.length; i++) {
        same = Cell.same(ours[i], theirs[i]);
      }
      if (!same) {
        return Optional.of("row " + (row + 1) + " is " + text(ours) + ", not " + text(theirs));
      }
    }
    return Optional.empty();
  }

  private static String text(@Nullable Object[] row) {
    return Arrays.stream(row).map(Cell::text).collect(Collectors.joining(" | ", "(", ")"));
  }
}
