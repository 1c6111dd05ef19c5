package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DoubleColumn;
import dev.varve.engine.batch.FloatColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a column together from pieces that each hold some of its rows. A row that no piece holds is
 * null. Confined to one task.
 */
public final class RowScatter {
  private final DataType type;
  private final int rows;
  private final byte[] validity;
  private byte[] booleans = new byte[0];
  private int[] ints = new int[0];
  private long[] longs = new long[0];
  private long[] lows = new long[0];
  private float[] floats = new float[0];
  private double[] doubles = new double[0];
  private final List<BytesColumn> pieces = new ArrayList<>();
  private int[] pieceOf = new int[0];
  private int[] rowInPiece = new int[0];

  public RowScatter(DataType type, int rows) {
    this.type = type;
    this.rows = rows;
    this.validity = new byte[rows];
    switch (type.physical()) {
      case BOOLEAN -> booleans = new byte[rows];
      case INT -> ints = new int[rows];
      case LONG -> longs = new long[rows];
      case INT128 -> {
        longs = new long[rows];
        lows = new long[rows];
      }
      case FLOAT -> floats = new float[rows];
      case DOUBLE -> doubles = new double[rows];
      case BYTES -> {
        pieceOf = new int[rows];
        rowInPiece = new int[rows];
      }
    }
  }

  /** Row i of {@code piece} is row {@code targets[i]} of the result. */
  public void put(Column piece, int[] targets, int count) {
    Column flat = piece.flat();
    if (!flat.type().equals(type)) {
      throw new IllegalStateException("a piece of " + flat.type() + " in a column of " + type);
    }
    int offset = flat.offset();
    switch (flat) {
      case BooleanColumn c -> {
        byte[] source = c.values();
        for (int i = 0; i < count; i++) {
          booleans[targets[i]] = source[offset + i];
        }
      }
      case IntColumn c -> {
        int[] source = c.values();
        for (int i = 0; i < count; i++) {
          ints[targets[i]] = source[offset + i];
        }
      }
      case LongColumn c -> {
        long[] source = c.values();
        for (int i = 0; i < count; i++) {
          longs[targets[i]] = source[offset + i];
        }
      }
      case Int128Column c -> {
        long[] high = c.high();
        long[] low = c.low();
        for (int i = 0; i < count; i++) {
          longs[targets[i]] = high[offset + i];
          lows[targets[i]] = low[offset + i];
        }
      }
      case FloatColumn c -> {
        float[] source = c.values();
        for (int i = 0; i < count; i++) {
          floats[targets[i]] = source[offset + i];
        }
      }
      case DoubleColumn c -> {
        double[] source = c.values();
        for (int i = 0; i < count; i++) {
          doubles[targets[i]] = source[offset + i];
        }
      }
      case BytesColumn c -> {
        pieces.add(c);
        for (int i = 0; i < count; i++) {
          pieceOf[targets[i]] = pieces.size();
          rowInPiece[targets[i]] = i;
        }
      }
      default -> throw new IllegalStateException("not flat: " + flat.getClass());
    }
    byte[] valid = flat.validity();
    for (int i = 0; i < count; i++) {
      validity[targets[i]] = valid == null ? 1 : valid[offset + i];
    }
  }

  public Column build() {
    byte @Nullable [] mask = Masks.dropIfAllValid(validity);
    return switch (type.physical()) {
      case BOOLEAN -> new BooleanColumn(type, booleans, mask);
      case INT -> new IntColumn(type, ints, mask);
      case LONG -> new LongColumn(type, longs, mask);
      case INT128 -> new Int128Column(type, longs, lows, mask);
      case FLOAT -> new FloatColumn(type, floats, mask);
      case DOUBLE -> new DoubleColumn(type, doubles, mask);
      case BYTES -> buildBytes(mask);
    };
  }

  private Column buildBytes(byte @Nullable [] mask) {
    int[] offsets = new int[rows + 1];
    for (int i = 0; i < rows; i++) {
      int length = 0;
      if (validity[i] != 0) {
        BytesColumn piece = pieces.get(pieceOf[i] - 1);
        length = piece.end(rowInPiece[i]) - piece.start(rowInPiece[i]);
      }
      offsets[i + 1] = Math.addExact(offsets[i], length);
    }
    byte[] data = new byte[offsets[rows]];
    for (int i = 0; i < rows; i++) {
      if (offsets[i + 1] > offsets[i]) {
        BytesColumn piece = pieces.get(pieceOf[i] - 1);
        System.arraycopy(
            piece.data(),
            piece.start(rowInPiece[i]),
            data,
            offsets[i],
            offsets[i + 1] - offsets[i]);
      }
    }
    return new BytesColumn(type, data, offsets, mask);
  }
}
