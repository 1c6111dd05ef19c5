package dev.varve.engine.parquet;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Arrays;

/**
 * Grows the bytes and offsets of variable-length values. Value i ends at {@code offsets[i + 1]}.
 */
final class BytesSink {
  /** Bytes of one column in one batch; larger ones would have to be read in smaller batches. */
  static final int LIMIT_BYTES = 1 << 29;

  byte[] data = new byte[0];
  int[] offsets = new int[1];

  /** Starts anew with arrays of its own, for up to {@code values} values. */
  void begin(int values, int expectedBytes) {
    data = new byte[expectedBytes];
    offsets = new int[values + 1];
  }

  /** Starts anew in the same arrays. */
  void reuse(int values) {
    if (offsets.length < values + 1) {
      offsets = new int[values + 1];
    }
    offsets[0] = 0;
  }

  /** Makes room for {@code more} bytes after {@code used}. */
  void ensure(int used, long more) {
    long needed = used + more;
    if (needed > data.length) {
      if (needed > LIMIT_BYTES) {
        throw new VarveException(
            ErrorCode.MEMORY_LIMIT_EXCEEDED,
            "one batch holds more than " + LIMIT_BYTES + " bytes of one column",
            null,
            "set execution.batch_size to a smaller value",
            null);
      }
      data = Arrays.copyOf(data, (int) Math.min(LIMIT_BYTES, Math.max(needed, data.length * 2L)));
    }
  }
}
