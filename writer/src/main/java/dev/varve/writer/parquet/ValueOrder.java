package dev.varve.writer.parquet;

import java.util.Arrays;
import org.apache.parquet.format.Type;
import org.jspecify.annotations.Nullable;

/** The order of a column's values, and their bytes in statistics. */
enum ValueOrder {
  BOOLEAN {
    @Override
    int compare(Object a, Object b) {
      return Long.compare((Long) a, (Long) b);
    }

    @Override
    byte[] bytes(Object value, Type physical) {
      return new byte[] {((Long) value).byteValue()};
    }
  },
  INTEGRAL {
    @Override
    int compare(Object a, Object b) {
      return Long.compare((Long) a, (Long) b);
    }

    @Override
    byte[] bytes(Object value, Type physical) {
      ByteSink sink = new ByteSink(8);
      if (physical == Type.INT32) {
        sink.writeInt(((Long) value).intValue());
      } else {
        sink.writeLong((Long) value);
      }
      return sink.toByteArray();
    }
  },
  FLOATING {
    @Override
    int compare(Object a, Object b) {
      return Double.compare((Double) a, (Double) b);
    }

    @Override
    byte[] bytes(Object value, Type physical) {
      ByteSink sink = new ByteSink(8);
      if (physical == Type.FLOAT) {
        sink.writeInt(Float.floatToRawIntBits(((Double) value).floatValue()));
      } else {
        sink.writeLong(Double.doubleToRawLongBits((Double) value));
      }
      return sink.toByteArray();
    }
  },
  /** Strings, binaries, uuids. */
  UNSIGNED_BYTES {
    @Override
    int compare(Object a, Object b) {
      return Arrays.compareUnsigned((byte[]) a, (byte[]) b);
    }

    @Override
    byte[] bytes(Object value, Type physical) {
      return (byte[]) value;
    }
  },
  /** Decimals in two's complement of one length. */
  SIGNED_BYTES {
    @Override
    int compare(Object a, Object b) {
      byte[] left = (byte[]) a;
      byte[] right = (byte[]) b;
      return left[0] != right[0]
          ? Byte.compare(left[0], right[0])
          : Arrays.compareUnsigned(left, right);
    }

    @Override
    byte[] bytes(Object value, Type physical) {
      return (byte[]) value;
    }
  };

  static ValueOrder of(ParquetColumn column) {
    return switch (column.physical()) {
      case BOOLEAN -> BOOLEAN;
      case INT32, INT64 -> INTEGRAL;
      case FLOAT, DOUBLE -> FLOATING;
      case BYTE_ARRAY -> UNSIGNED_BYTES;
      case FIXED_LEN_BYTE_ARRAY -> column.type().isDecimal() ? SIGNED_BYTES : UNSIGNED_BYTES;
      case INT96 -> throw new IllegalStateException("INT96 is not written");
    };
  }

  abstract int compare(Object a, Object b);

  /** The value as statistics hold it: PLAIN, without a length. */
  abstract byte[] bytes(Object value, Type physical);

  @Nullable Object least(@Nullable Object a, @Nullable Object b) {
    return a == null ? b : b == null || compare(a, b) <= 0 ? a : b;
  }

  @Nullable Object greatest(@Nullable Object a, @Nullable Object b) {
    return a == null ? b : b == null || compare(a, b) >= 0 ? a : b;
  }
}
