package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.Int128Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * SUM and AVG of integers, intervals and decimals: exact whatever the order of the rows, so that
 * only a result out of range is an error.
 *
 * <p>Sums are held in 64 bits as long as no sum can be larger: {@code bound} is the sum of the
 * largest magnitudes of all batches, each times its rows. When it could pass 62 bits, all sums
 * become 192 bits wide, in arrays beside the lower ones.
 */
public final class ExactSumAccumulator implements GroupAccumulator {
  private static final long NARROW_LIMIT = 1L << 62;
  private static final long[] NONE = {};

  private final DataType resultType;
  private final int scale;
  private final boolean average;
  private long[] low = {};
  private long[] counts = {};
  private boolean wide;
  private long bound;
  private long[] high = NONE;
  private long[] overflow = NONE;

  /** {@code scale} is the argument's. */
  public ExactSumAccumulator(DataType resultType, int scale, boolean average) {
    this.resultType = resultType;
    this.scale = scale;
    this.average = average;
  }

  @Override
  public long bytesPerGroup() {
    return 16;
  }

  @Override
  public long varyingBytes() {
    return 16L * high.length;
  }

  @Override
  public void resize(int groups) {
    low = Arrays.copyOf(low, groups);
    counts = Arrays.copyOf(counts, groups);
    if (wide) {
      high = Arrays.copyOf(high, groups);
      overflow = Arrays.copyOf(overflow, groups);
    }
  }

  private void widen() {
    if (!wide) {
      wide = true;
      high = new long[low.length];
      overflow = new long[low.length];
      for (int g = 0; g < low.length; g++) {
        high[g] = low[g] >> 63;
      }
    }
  }

  private long high(int group) {
    return wide ? high[group] : low[group] >> 63;
  }

  private long overflow(int group) {
    return wide ? overflow[group] : 0;
  }

  /**
   * Whether {@code rows} more values that are in no bit above those of {@code magnitudes} leave all
   * sums narrow; if not, they are wide afterwards.
   */
  private boolean staysNarrow(long magnitudes, int rows) {
    if (wide) {
      return false;
    }
    // One more, since the magnitude of a negative number is taken as its complement.
    if (rows == 0 || magnitudes < (NARROW_LIMIT - bound) / rows - 1) {
      bound += (magnitudes + 1) * rows;
      return true;
    }
    widen();
    return false;
  }

  @Override
  public void update(int[] groups, int count, Column[] arguments) {
    Column values = arguments[0].flat();
    byte[] validity = values.validity();
    int offset = values.offset();
    switch (values) {
      case IntColumn column -> updateInts(groups, count, column.values(), offset, validity);
      case LongColumn column -> updateLongs(groups, count, column.values(), offset, validity);
      case Int128Column column -> {
        if (fitLongs(column, count)) {
          updateLongs(groups, count, column.low(), offset, validity);
        } else {
          widen();
          for (int i = 0; i < count; i++) {
            if (validity == null || validity[offset + i] != 0) {
              add(groups[i], column.high()[offset + i], column.low()[offset + i]);
              counts[groups[i]]++;
            }
          }
        }
      }
      default -> requireNulls(values);
    }
  }

  /** An argument of unknown type has only nulls. */
  private static void requireNulls(Column values) {
    if (values.type().kind() != TypeKind.NULL) {
      throw new IllegalStateException("no exact sum of " + values.type());
    }
  }

  /** Whether no value needs its upper half; what is under nulls counts as well. */
  private static boolean fitLongs(Column values, int count) {
    Int128Column column = (Int128Column) values;
    long[] high = column.high();
    long[] low = column.low();
    long difference = 0;
    int end = column.offset() + count;
    for (int i = column.offset(); i < end; i++) {
      difference |= high[i] ^ low[i] >> 63;
    }
    return difference == 0;
  }

  private void updateInts(
      int[] groups, int count, int[] values, int offset, byte @Nullable [] validity) {
    boolean narrow = staysNarrow(Integer.MAX_VALUE, count);
    for (int i = 0; i < count; i++) {
      if (validity == null || validity[offset + i] != 0) {
        int group = groups[i];
        if (narrow) {
          low[group] += values[offset + i];
        } else {
          add(group, values[offset + i] >> 31, values[offset + i]);
        }
        counts[group]++;
      }
    }
  }

  private void updateLongs(
      int[] groups, int count, long[] values, int offset, byte @Nullable [] validity) {
    if (staysNarrow(magnitudes(values, offset, count), count)) {
      addNarrow(groups, count, values, offset, validity);
      return;
    }
    for (int i = 0; i < count; i++) {
      if (validity == null || validity[offset + i] != 0) {
        add(groups[i], values[offset + i] >> 63, values[offset + i]);
        counts[groups[i]]++;
      }
    }
  }

  /** The bits of all magnitudes together. */
  private static long magnitudes(long[] values, int offset, int count) {
    long bits = 0;
    for (int i = offset; i < offset + count; i++) {
      bits |= values[i] ^ values[i] >> 63;
    }
    return bits;
  }

  private void addNarrow(
      int[] groups, int count, long[] values, int offset, byte @Nullable [] validity) {
    long[] sums = low;
    long[] seen = counts;
    if (validity == null) {
      for (int i = 0; i < count; i++) {
        int group = groups[i];
        sums[group] += values[offset + i];
        seen[group]++;
      }
    } else {
      for (int i = 0; i < count; i++) {
        int group = groups[i];
        sums[group] += values[offset + i] & -(long) validity[offset + i];
        seen[group] += validity[offset + i];
      }
    }
  }

  private void add(int group, long addHigh, long addLow) {
    long before = low[group];
    long sum = before + addLow;
    long carry = Long.compareUnsigned(sum, before) < 0 ? 1 : 0;
    long oldHigh = high[group];
    long newHigh = oldHigh + addHigh + carry;
    if (((oldHigh ^ newHigh) & (addHigh ^ newHigh)) < 0) {
      overflow[group] += addHigh < 0 ? -1 : 1;
    }
    low[group] = sum;
    high[group] = newHigh;
  }

  @Override
  public void updateAll(int count, Column[] arguments) {
    widen();
    Column values = arguments[0].flat();
    if (values instanceof LongColumn column) {
      sumLongs(count, column.values(), values.offset(), values.validity());
    } else if (values instanceof IntColumn column) {
      sumInts(count, column.values(), values.offset(), values.validity());
    } else if (values instanceof Int128Column column && fitLongs(column, count)) {
      sumLongs(count, column.low(), values.offset(), values.validity());
    } else {
      update(new int[count], count, new Column[] {values});
    }
  }

  /** The halves are summed apart: neither can overflow within a batch. */
  private void sumLongs(int count, long[] values, int offset, byte @Nullable [] validity) {
    long upper = 0;
    long lower = 0;
    long seen = count;
    if (validity == null) {
      for (int i = offset; i < offset + count; i++) {
        upper += values[i] >> 32;
        lower += values[i] & 0xFFFFFFFFL;
      }
    } else {
      seen = 0;
      for (int i = offset; i < offset + count; i++) {
        long mask = -(long) validity[i];
        upper += values[i] >> 32 & mask;
        lower += values[i] & 0xFFFFFFFFL & mask;
        seen += validity[i];
      }
    }
    add(0, upper >> 32, upper << 32);
    add(0, 0, lower);
    counts[0] += seen;
  }

  private void sumInts(int count, int[] values, int offset, byte @Nullable [] validity) {
    long sum = 0;
    long seen = count;
    if (validity == null) {
      for (int i = offset; i < offset + count; i++) {
        sum += values[i];
      }
    } else {
      seen = 0;
      for (int i = offset; i < offset + count; i++) {
        sum += values[i] & -validity[i];
        seen += validity[i];
      }
    }
    add(0, sum >> 63, sum);
    counts[0] += seen;
  }

  @Override
  public void merge(int[] groups, int count, Column[] states) {
    Int128Column sums = (Int128Column) states[0].flat();
    LongColumn stateCounts = average ? (LongColumn) states[2].flat() : null;
    byte[] validity = sums.validity();
    int offset = sums.offset();
    long[] values = sums.low();
    boolean narrow =
        isZero(states[1])
            && fitLongs(sums, count)
            && staysNarrow(magnitudes(values, offset, count), count);
    if (narrow) {
      for (int i = 0; i < count; i++) {
        if (validity == null || validity[offset + i] != 0) {
          low[groups[i]] += values[offset + i];
          counts[groups[i]] += stateCounts == null ? 1 : stateCounts.get(i);
        }
      }
      return;
    }
    widen();
    LongColumn overflows = (LongColumn) states[1].flat();
    for (int i = 0; i < count; i++) {
      if (validity == null || validity[offset + i] != 0) {
        int group = groups[i];
        add(group, sums.high()[offset + i], values[offset + i]);
        overflow[group] += overflows.get(i);
        counts[group] += stateCounts == null ? 1 : stateCounts.get(i);
      }
    }
  }

  private static boolean isZero(Column column) {
    if (column instanceof ConstantColumn constant) {
      return ((LongColumn) constant.single()).get(0) == 0;
    }
    LongColumn flat = (LongColumn) column.flat();
    long bits = 0;
    for (int i = 0; i < flat.length(); i++) {
      bits |= flat.get(i);
    }
    return bits == 0;
  }

  @Override
  public Column[] state(int from, int count) {
    Column sums =
        new Int128Column(
            DataType.decimal(DataType.MAX_DECIMAL_PRECISION, scale),
            highs(from, count),
            Arrays.copyOfRange(low, from, from + count),
            seen(from, count));
    Column overflows =
        wide
            ? new LongColumn(
                DataType.BIGINT, Arrays.copyOfRange(overflow, from, from + count), null)
            : new ConstantColumn(new LongColumn(DataType.BIGINT, new long[1], null), count);
    return average
        ? new Column[] {
          sums,
          overflows,
          new LongColumn(DataType.BIGINT, Arrays.copyOfRange(counts, from, from + count), null)
        }
        : new Column[] {sums, overflows};
  }

  private long[] highs(int from, int count) {
    if (wide) {
      return Arrays.copyOfRange(high, from, from + count);
    }
    long[] highs = new long[count];
    for (int i = 0; i < count; i++) {
      highs[i] = low[from + i] >> 63;
    }
    return highs;
  }

  private byte @Nullable [] seen(int from, int count) {
    return Seen.validity(counts, from, count);
  }

  @Override
  public Column result(int from, int count) {
    byte[] validity = seen(from, count);
    if (average) {
      return averages(from, count, validity);
    }
    return switch (resultType.physical()) {
      case INT128 -> {
        for (int g = from; g < from + count; g++) {
          if (!Wide.fitsDecimal(overflow(g), high(g), low[g])) {
            throw outOfRange("sum", new BigDecimal(value(g), scale));
          }
        }
        yield new Int128Column(
            resultType, highs(from, count), Arrays.copyOfRange(low, from, from + count), validity);
      }
      case LONG -> {
        for (int g = from; g < from + count; g++) {
          if (!Wide.fitsLong(overflow(g), high(g), low[g])) {
            throw outOfRange("sum", new BigDecimal(value(g), scale));
          }
        }
        yield new LongColumn(resultType, Arrays.copyOfRange(low, from, from + count), validity);
      }
      case INT -> {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
          int g = from + i;
          values[i] = (int) low[g];
          if (!Wide.fitsLong(overflow(g), high(g), low[g]) || values[i] != low[g]) {
            throw outOfRange("sum", new BigDecimal(value(g), scale));
          }
        }
        yield new IntColumn(resultType, values, validity);
      }
      case BOOLEAN, FLOAT, DOUBLE, BYTES ->
          throw new IllegalStateException("no exact sum gives " + resultType);
    };
  }

  private BigInteger value(int group) {
    return Wide.value(overflow(group), high(group), low[group]);
  }

  private Column averages(int from, int count, byte @Nullable [] validity) {
    long[] resultHigh = new long[count];
    long[] resultLow = new long[count];
    int shift = resultType.scale() - scale;
    long factor = shift <= 18 ? BigInteger.TEN.pow(shift).longValueExact() : 0;
    for (int i = 0; i < count; i++) {
      int g = from + i;
      if (counts[g] == 0) {
        continue;
      }
      if (factor != 0
          && Wide.fitsLong(overflow(g), high(g), low[g])
          && Math.abs(low[g] / 2) < Long.MAX_VALUE / 4 / factor) {
        long scaled = low[g] * factor;
        long quotient = scaled / counts[g];
        long rest = Math.abs(scaled % counts[g]);
        if (rest >= counts[g] - rest) {
          quotient += scaled < 0 ? -1 : 1;
        }
        resultLow[i] = quotient;
        resultHigh[i] = quotient >> 63;
      } else {
        BigInteger quotient =
            new BigDecimal(value(g).multiply(BigInteger.TEN.pow(shift)))
                .divide(BigDecimal.valueOf(counts[g]), 0, java.math.RoundingMode.HALF_UP)
                .toBigIntegerExact();
        long upper = quotient.bitLength() < 128 ? quotient.shiftRight(64).longValue() : 0;
        if (quotient.bitLength() >= 128 || !Wide.fitsDecimal(0, upper, quotient.longValue())) {
          throw outOfRange("avg", new BigDecimal(quotient, resultType.scale()));
        }
        resultHigh[i] = upper;
        resultLow[i] = quotient.longValue();
      }
    }
    return new Int128Column(resultType, resultHigh, resultLow, validity);
  }

  private VarveException outOfRange(String function, BigDecimal value) {
    return new VarveException(
        ErrorCode.NUMERIC_OUT_OF_RANGE,
        function + " is out of range of " + resultType + ": " + value.toPlainString());
  }

  @Override
  public void clear() {
    Arrays.fill(low, 0);
    Arrays.fill(counts, 0);
    wide = false;
    bound = 0;
    high = NONE;
    overflow = NONE;
  }
}
