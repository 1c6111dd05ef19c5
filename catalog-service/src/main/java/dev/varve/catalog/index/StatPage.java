package dev.varve.catalog.index;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one column is known to be in up to {@link #MAX_FILES} files, in a form that is searched
 * without a look at any single file's facts. Of each bound the eight bytes behind what all bounds
 * of the page begin with are kept, so that comparisons may keep a file that its facts rule out, and
 * never the other way round. Immutable.
 *
 * <pre>
 * stored: length of the common prefix (2 bytes; FFFF when no bound is known), prefix,
 *         lower ends, upper ends (8 bytes each, sign flipped), flags (1 byte each)
 * flags:  1 no lower end, 2 no upper end, 4 may have nulls, 8 may have NaN, 16 nulls only
 * </pre>
 */
final class StatPage {
  static final int MAX_FILES = 1_000;

  private static final int NO_LOWER = 1;
  private static final int NO_UPPER = 2;
  private static final int NULLS = 4;
  private static final int NANS = 8;
  private static final int NO_VALUES = 16;

  private static final int NO_PREFIX = 0xFFFF;
  private static final Optional<EncodedKey> NAN = Optional.of(KeyEncoding.encodeDouble(Double.NaN));

  /** Null when no bound is known. */
  private final byte @Nullable [] prefix;

  private final long[] lower;
  private final long[] upper;
  private final byte[] flags;
  private final int anyFlags;
  private final long least;
  private final long greatest;

  private StatPage(byte @Nullable [] prefix, long[] lower, long[] upper, byte[] flags) {
    this.prefix = prefix;
    this.lower = lower;
    this.upper = upper;
    this.flags = flags;
    int any = 0;
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < flags.length; i++) {
      any |= flags[i];
      low = Math.min(low, lower[i]);
      high = Math.max(high, upper[i]);
    }
    this.anyFlags = any;
    this.least = low;
    this.greatest = high;
  }

  /** A column in one file; {@code facts} is null where nothing is known of it. */
  record Entry(@Nullable ColumnFacts facts, long records) {
    private @Nullable EncodedKey lower() {
      return facts == null ? null : key(facts.lower());
    }

    private @Nullable EncodedKey upper() {
      return facts == null ? null : key(facts.upper());
    }

    private static @Nullable EncodedKey key(Bound bound) {
      return switch (bound) {
        case Bound.Unknown _ -> null;
        case Bound.Exact(EncodedKey key) -> key;
        case Bound.Inexact(EncodedKey key) -> key;
      };
    }

    private int flags() {
      if (facts == null) {
        return NO_LOWER | NO_UPPER | NULLS | NANS;
      }
      boolean nullsOnly = facts.nullCount().isPresent() && facts.nullCount().getAsLong() >= records;
      return (lower() == null ? NO_LOWER : 0)
          | (upper() == null ? NO_UPPER : 0)
          | (facts.nullCount().orElse(1) > 0 ? NULLS : 0)
          | (facts.nanCount().orElse(1) > 0 ? NANS : 0)
          | (nullsOnly ? NO_VALUES : 0);
    }
  }

  static StatPage of(List<Entry> entries) {
    byte[] common = null;
    for (Entry entry : entries) {
      common = common(common, entry.lower());
      common = common(common, entry.upper());
    }
    int cut = common == null ? 0 : common.length;
    long[] lower = new long[entries.size()];
    long[] upper = new long[entries.size()];
    byte[] flags = new byte[entries.size()];
    for (int i = 0; i < flags.length; i++) {
      Entry entry = entries.get(i);
      EncodedKey low = entry.lower();
      EncodedKey high = entry.upper();
      lower[i] = low == null ? Long.MIN_VALUE : cut(low, cut);
      upper[i] = high == null ? Long.MAX_VALUE : cut(high, cut);
      flags[i] = (byte) entry.flags();
    }
    return new StatPage(common, lower, upper, flags);
  }

  private static byte @Nullable [] common(byte @Nullable [] prefix, @Nullable EncodedKey key) {
    if (key == null) {
      return prefix;
    }
    byte[] bytes = key.toByteArray();
    return prefix == null ? bytes : common(prefix, bytes);
  }

  private static byte[] common(byte[] a, byte[] b) {
    int n = Arrays.mismatch(a, b);
    return n < 0 || n == a.length ? a : Arrays.copyOf(a, n);
  }

  /** Eight bytes from a place on, zeros behind the end, in signed order. */
  private static long cut(EncodedKey key, int from) {
    long bits = 0;
    for (int i = from; i < from + Long.BYTES; i++) {
      bits = bits << Byte.SIZE | (i < key.length() ? key.byteAt(i) & 0xFF : 0);
    }
    return bits ^ Long.MIN_VALUE;
  }

  int files() {
    return flags.length;
  }

  /** Bytes that it holds of the heap. */
  static long bytes(int files) {
    return 17L * files + 150;
  }

  /** The files of this page, then those of another. */
  StatPage plus(StatPage more) {
    byte[] common =
        prefix == null ? more.prefix : more.prefix == null ? prefix : common(prefix, more.prefix);
    int cut = common == null ? 0 : common.length;
    int n = files();
    long[] low = Arrays.copyOf(lower, n + more.files());
    long[] high = Arrays.copyOf(upper, n + more.files());
    byte[] all = Arrays.copyOf(flags, n + more.files());
    System.arraycopy(more.lower, 0, low, n, more.files());
    System.arraycopy(more.upper, 0, high, n, more.files());
    System.arraycopy(more.flags, 0, all, n, more.files());
    for (int i = 0; i < all.length; i++) {
      byte[] old = i < n ? prefix : more.prefix;
      if ((all[i] & NO_LOWER) == 0) {
        low[i] = moved(low[i], old, cut);
      }
      if ((all[i] & NO_UPPER) == 0) {
        high[i] = moved(high[i], old, cut);
      }
    }
    return new StatPage(common, low, high, all);
  }

  /** Its first files only. */
  StatPage upTo(int files) {
    return new StatPage(
        prefix,
        Arrays.copyOf(lower, files),
        Arrays.copyOf(upper, files),
        Arrays.copyOf(flags, files));
  }

  /** The eight bytes from an earlier place on. */
  private static long moved(long value, byte @Nullable [] prefix, int cut) {
    if (prefix == null || prefix.length == cut) {
      return value;
    }
    long old = value ^ Long.MIN_VALUE;
    long bits = 0;
    for (int i = cut; i < cut + Long.BYTES; i++) {
      long next =
          i < prefix.length
              ? prefix[i] & 0xFF
              : old >>> (Long.SIZE - Byte.SIZE * (i - prefix.length + 1)) & 0xFF;
      bits = bits << Byte.SIZE | next;
    }
    return bits ^ Long.MIN_VALUE;
  }

  /** Takes from {@code kept}, a bit for each file, those that hold no row within the range. */
  void keep(ColumnRange range, long[] kept) {
    boolean nulls = range.nullAllowed() && (anyFlags & NULLS) != 0;
    boolean nan = (anyFlags & NANS) != 0 && range.meets(NAN, NAN);
    Ends ends = ends(range);
    boolean mayMatch = nulls || nan || (anyFlags & (NO_LOWER | NO_UPPER)) != 0;
    if (!mayMatch && (ends.isNowhere() || ends.low > greatest || ends.high < least)) {
      Arrays.fill(kept, 0);
      return;
    }
    for (int word = 0; word < kept.length; word++) {
      long left = kept[word];
      for (long bits = left; bits != 0; bits &= bits - 1) {
        int i = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
        if (!matches(i, ends, nulls, nan)) {
          left &= ~(bits & -bits);
        }
      }
      kept[word] = left;
    }
  }

  private boolean matches(int i, Ends ends, boolean nulls, boolean nan) {
    int flag = flags[i];
    if (nulls && (flag & NULLS) != 0) {
      return true;
    }
    if ((flag & NO_VALUES) != 0) {
      return false;
    }
    return (nan && (flag & NANS) != 0) || ends.meet(lower[i], upper[i], flag);
  }

  /**
   * A range as this page's bounds are cut.
   *
   * @param below no value that begins as the page's bounds do is as low as the range's upper end
   * @param above none is as high as its lower end
   * @param points ascending, where the range is of points
   */
  private record Ends(long low, long high, boolean below, boolean above, long @Nullable [] points) {

    boolean isNowhere() {
      return below || above || (points != null && points.length == 0);
    }

    boolean meet(long from, long to, int flag) {
      boolean noLower = (flag & NO_LOWER) != 0;
      boolean noUpper = (flag & NO_UPPER) != 0;
      if (!(noLower || (!below && from <= high)) || !(noUpper || (!above && to >= low))) {
        return false;
      }
      if (points == null || noLower || noUpper) {
        return true;
      }
      int at = Arrays.binarySearch(points, from);
      at = at < 0 ? -at - 1 : at;
      return at < points.length && points[at] <= to;
    }
  }

  private Ends ends(ColumnRange range) {
    // Without a prefix no bound is known, and nothing is compared.
    byte[] begin = prefix == null ? new byte[0] : prefix;
    int lowSide = range.lower().map(key -> side(key, begin)).orElse(-1);
    int highSide = range.upper().map(key -> side(key, begin)).orElse(1);
    long low = lowSide == 0 ? cut(range.lower().orElseThrow(), begin.length) : Long.MIN_VALUE;
    long high = highSide == 0 ? cut(range.upper().orElseThrow(), begin.length) : Long.MAX_VALUE;
    long[] points =
        range
            .points()
            .map(
                keys ->
                    keys.stream()
                        .filter(key -> side(key, begin) == 0)
                        .mapToLong(key -> cut(key, begin.length))
                        .toArray())
            .orElse(null);
    return new Ends(low, high, highSide < 0, lowSide > 0, points);
  }

  /** Whether a key lies below (-1), among (0) or above (1) all keys that begin so. */
  private static int side(EncodedKey key, byte[] begin) {
    for (int i = 0; i < begin.length; i++) {
      if (i == key.length()) {
        return -1;
      }
      int difference = (key.byteAt(i) & 0xFF) - (begin[i] & 0xFF);
      if (difference != 0) {
        return difference < 0 ? -1 : 1;
      }
    }
    return 0;
  }

  byte[] encode() {
    int length = prefix == null ? 0 : prefix.length;
    ByteBuffer out = ByteBuffer.allocate(2 + length + 17 * files());
    out.putShort((short) (prefix == null ? NO_PREFIX : length));
    if (prefix != null) {
      out.put(prefix);
    }
    for (long end : lower) {
      out.putLong(end);
    }
    for (long end : upper) {
      out.putLong(end);
    }
    return out.put(flags).array();
  }

  static StatPage decode(byte[] data, int files) {
    ByteBuffer in = ByteBuffer.wrap(data);
    int length = in.getShort() & 0xFFFF;
    byte[] prefix = length == NO_PREFIX ? null : new byte[length];
    if (prefix != null) {
      in.get(prefix);
    }
    long[] lower = new long[files];
    long[] upper = new long[files];
    byte[] flags = new byte[files];
    in.asLongBuffer().get(lower).get(upper);
    in.position(in.position() + 2 * Long.BYTES * files).get(flags);
    if (in.hasRemaining()) {
      throw new IllegalStateException(in.remaining() + " bytes are left in a page of statistics");
    }
    return new StatPage(prefix, lower, upper, flags);
  }
}
