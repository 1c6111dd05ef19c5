package dev.varve.bench.result;

import dev.varve.bench.arrow.ArrowSink;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * The number of rows of a result and a hash of them: for results that are too large to be kept and
 * hold exact values only. It depends on the order of rows if that is part of the answer.
 */
public final class Digest implements ArrowSink {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final boolean ordered;
  private long rows;
  private long hash;
  private long[] batch = new long[0];

  public Digest(boolean ordered) {
    this.ordered = ordered;
  }

  @Override
  public void accept(VectorSchemaRoot root) {
    int count = root.getRowCount();
    if (batch.length < count) {
      batch = new long[count];
    }
    Arrays.fill(batch, 0, count, 1);
    List<FieldVector> vectors = root.getFieldVectors();
    for (FieldVector vector : vectors) {
      for (int row = 0; row < count; row++) {
        batch[row] = mix(batch[row] * 31 + value(vector, row));
      }
    }
    for (int row = 0; row < count; row++) {
      hash = ordered ? mix(hash + batch[row]) : hash + batch[row];
    }
    rows += count;
  }

  /** The same for the same value, whatever the width of its type. */
  private static long value(FieldVector vector, int row) {
    if (vector.isNull(row)) {
      return MULTIPLIER;
    }
    return switch (vector) {
      case BigIntVector longs -> longs.get(row);
      case IntVector ints -> ints.get(row);
      case TimeStampVector times -> times.get(row);
      case DecimalVector decimals -> {
        BigDecimal number = decimals.getObjectNotNull(row).stripTrailingZeros();
        yield number.scale() <= 0 && number.precision() - number.scale() <= 18
            ? number.longValueExact()
            : number.hashCode();
      }
      case FieldVector other -> Cell.text(Cell.of(other, row)).hashCode();
    };
  }

  private static long mix(long value) {
    long mixed = value * MULTIPLIER;
    return mixed ^ mixed >>> 32;
  }

  public long rows() {
    return rows;
  }

  /** What is different, empty if nothing is. */
  public Optional<String> differenceFrom(Digest other) {
    if (rows != other.rows) {
      return Optional.of(rows + " rows, not " + other.rows);
    }
    return hash == other.hash
        ? Optional.empty()
        : Optional.of("the same number of rows, " + rows + ", with other values or another order");
  }
}
