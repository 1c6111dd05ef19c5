package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Text functions on UTF-8 bytes. A character is a code point. */
public final class Strings {
  /** The longest text that a function makes in one row. */
  private static final long LONGEST = 1 << 28;

  private Strings() {}

  public static Column changeCase(Column column, boolean upper) {
    BytesColumn in = Flats.bytes(column);
    int n = in.length();
    BytesBuilder out = new BytesBuilder(n, n == 0 ? 0 : (in.end(n - 1) - in.start(0)) / n + 1);
    byte[] data = in.data();
    byte first = (byte) (upper ? 'a' : 'A');
    byte last = (byte) (upper ? 'z' : 'Z');
    for (int i = 0; i < n; i++) {
      int start = in.start(i);
      int end = in.end(i);
      if (isAscii(data, start, end)) {
        int at = out.size();
        out.append(data, start, end);
        byte[] target = out.data();
        for (int k = at; k < out.size(); k++) {
          byte b = target[k];
          target[k] = b >= first && b <= last ? (byte) (b ^ 0x20) : b;
        }
      } else {
        out.append(changeCase(in.getString(i), upper));
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, Masks.copy(in));
  }

  /** Character by character, as PostgreSQL does: the sharp s has no upper case of one character. */
  private static String changeCase(String text, boolean upper) {
    StringBuilder changed = new StringBuilder(text.length());
    text.codePoints()
        .map(upper ? Character::toUpperCase : Character::toLowerCase)
        .forEach(changed::appendCodePoint);
    return changed.toString();
  }

  static boolean isAscii(byte[] data, int start, int end) {
    int all = 0;
    for (int i = start; i < end; i++) {
      all |= data[i];
    }
    return all >= 0;
  }

  /** Characters. */
  public static Column length(Column column) {
    BytesColumn in = Flats.bytes(column);
    int[] out = new int[in.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = characters(in.data(), in.start(i), in.end(i));
    }
    return new IntColumn(DataType.INTEGER, out, Masks.copy(in));
  }

  static int characters(byte[] data, int start, int end) {
    int count = 0;
    for (int i = start; i < end; i++) {
      count += (data[i] & 0xC0) != 0x80 ? 1 : 0;
    }
    return count;
  }

  /** Bytes times {@code factor}. */
  public static Column byteLength(Column column, int factor) {
    BytesColumn in = Flats.bytes(column);
    int[] out = new int[in.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = (in.end(i) - in.start(i)) * factor;
    }
    return new IntColumn(DataType.INTEGER, out, Masks.copy(in));
  }

  /** The byte after {@code count} characters from {@code start}, at most {@code end}. */
  static int skip(byte[] data, int start, int end, long count) {
    int at = start;
    for (long left = count; left > 0 && at < end; left--) {
      at++;
      while (at < end && (data[at] & 0xC0) == 0x80) {
        at++;
      }
    }
    return at;
  }

  /** From character {@code from}, counted from 1, which may lie before the text; to the end. */
  public static Column substring(Column text, Column from) {
    return substring(text, from, null);
  }

  /** {@code count} characters from character {@code from} on, the part that is in the text. */
  public static Column substring(Column text, Column from, @Nullable Column count) {
    BytesColumn in = Flats.bytes(text);
    IntColumn starts = Flats.ints(from);
    IntColumn counts = count == null ? null : Flats.ints(count);
    int n = in.length();
    byte[] valid = Masks.and(in, starts);
    if (counts != null) {
      valid = Masks.and(new IntColumn(DataType.INTEGER, new int[n], valid), counts);
    }
    byte[] data = in.data();
    BytesBuilder out = new BytesBuilder(n, 8);
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        long first = starts.get(i) - 1L;
        long end = Long.MAX_VALUE;
        if (counts != null) {
          if (counts.get(i) < 0) {
            throw new VarveException(
                ErrorCode.INVALID_PARAMETER,
                "negative substring length not allowed: " + counts.get(i));
          }
          end = first + counts.get(i);
        }
        first = Math.max(first, 0);
        if (end > first) {
          int begin = skip(data, in.start(i), in.end(i), first);
          int stop = skip(data, begin, in.end(i), end - first);
          out.append(data, begin, stop);
        }
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  /** The first (last) {@code n} characters; all but the last (first) {@code -n} if negative. */
  public static Column side(Column text, Column count, boolean left) {
    BytesColumn in = Flats.bytes(text);
    IntColumn counts = Flats.ints(count);
    int n = in.length();
    byte[] valid = Masks.and(in, counts);
    byte[] data = in.data();
    BytesBuilder out = new BytesBuilder(n, 8);
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        int start = in.start(i);
        int end = in.end(i);
        long wanted = counts.get(i);
        if (left) {
          long kept = wanted >= 0 ? wanted : Math.max(0, characters(data, start, end) + wanted);
          out.append(data, start, skip(data, start, end, kept));
        } else {
          long dropped = wanted >= 0 ? Math.max(0, characters(data, start, end) - wanted) : -wanted;
          out.append(data, skip(data, start, end, dropped), end);
        }
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  /** Without the characters of {@code set} at the chosen ends. */
  public static Column trim(Column text, Column set, boolean atStart, boolean atEnd) {
    BytesColumn in = Flats.bytes(text);
    int n = in.length();
    boolean blanks =
        set instanceof ConstantColumn constant
            && !constant.isNull(0)
            && " ".equals(constant.single().value(0));
    BytesColumn sets = blanks ? in : Flats.bytes(set);
    byte[] valid = Masks.and(in, sets);
    byte[] data = in.data();
    BytesBuilder out = new BytesBuilder(n, 8);
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        int start = in.start(i);
        int end = in.end(i);
        if (blanks) {
          while (atStart && start < end && data[start] == ' ') {
            start++;
          }
          while (atEnd && start < end && data[end - 1] == ' ') {
            end--;
          }
        } else {
          String all = sets.getString(i);
          while (atStart && start < end) {
            int next = skip(data, start, end, 1);
            if (!contains(all, data, start, next)) {
              break;
            }
            start = next;
          }
          while (atEnd && start < end) {
            int last = end - 1;
            while (last > start && (data[last] & 0xC0) == 0x80) {
              last--;
            }
            if (!contains(all, data, last, end)) {
              break;
            }
            end = last;
          }
        }
        out.append(data, start, end);
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  private static boolean contains(String set, byte[] data, int start, int end) {
    return set.contains(new String(data, start, end - start, StandardCharsets.UTF_8));
  }

  /** Where {@code part} begins, in characters from 1; 0 if it does not occur. */
  public static Column position(Column text, Column part) {
    BytesColumn in = Flats.bytes(text);
    BytesColumn parts = Flats.bytes(part);
    int n = in.length();
    byte[] valid = Masks.and(in, parts);
    int[] out = new int[n];
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        int at =
            indexOf(in.data(), in.start(i), in.end(i), parts.data(), parts.start(i), parts.end(i));
        out[i] = at < 0 ? 0 : characters(in.data(), in.start(i), at) + 1;
      }
    }
    return new IntColumn(DataType.INTEGER, out, valid);
  }

  /** The first byte of the first occurrence; -1 if there is none. */
  static int indexOf(byte[] data, int start, int end, byte[] part, int partStart, int partEnd) {
    int length = partEnd - partStart;
    if (length == 0) {
      return start;
    }
    byte first = part[partStart];
    for (int at = start; at <= end - length; at++) {
      if (data[at] == first && Arrays.equals(data, at, at + length, part, partStart, partEnd)) {
        return at;
      }
    }
    return -1;
  }

  /** Whether the text begins (ends) with, or contains, the other. */
  public static Column has(Column text, Column part, Place place) {
    BytesColumn in = Flats.bytes(text);
    BytesColumn parts = Flats.bytes(part);
    int n = in.length();
    byte[] out = new byte[n];
    for (int i = 0; i < n; i++) {
      int start = in.start(i);
      int end = in.end(i);
      int partStart = parts.start(i);
      int partEnd = parts.end(i);
      int length = partEnd - partStart;
      boolean found =
          switch (place) {
            case START ->
                end - start >= length
                    && BytesOrder.equal(
                        in.data(), start, start + length, parts.data(), partStart, partEnd);
            case END ->
                end - start >= length
                    && BytesOrder.equal(
                        in.data(), end - length, end, parts.data(), partStart, partEnd);
            case ANYWHERE -> indexOf(in.data(), start, end, parts.data(), partStart, partEnd) >= 0;
          };
      out[i] = (byte) (found ? 1 : 0);
    }
    return new BooleanColumn(DataType.BOOLEAN, out, Masks.and(in, parts));
  }

  /** A place in a text. */
  public enum Place {
    START,
    END,
    ANYWHERE
  }

  public static Column replace(Column text, Column what, Column by) {
    BytesColumn in = Flats.bytes(text);
    BytesColumn whats = Flats.bytes(what);
    BytesColumn bys = Flats.bytes(by);
    int n = in.length();
    byte[] valid = validity(List.of(in, whats, bys));
    BytesBuilder out = new BytesBuilder(n, 16);
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        int at = in.start(i);
        int end = in.end(i);
        int length = whats.end(i) - whats.start(i);
        while (length > 0) {
          int found = indexOf(in.data(), at, end, whats.data(), whats.start(i), whats.end(i));
          if (found < 0) {
            break;
          }
          out.append(in.data(), at, found);
          out.append(bys.data(), bys.start(i), bys.end(i));
          at = found + length;
        }
        out.append(in.data(), at, end);
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  /** Filled up with {@code fill}, or cut, to {@code length} characters. */
  public static Column pad(Column text, Column length, Column fill, boolean left) {
    BytesColumn in = Flats.bytes(text);
    IntColumn lengths = Flats.ints(length);
    BytesColumn fills = Flats.bytes(fill);
    int n = in.length();
    byte[] valid = validity(List.of(in, lengths, fills));
    BytesBuilder out = new BytesBuilder(n, 16);
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        int start = in.start(i);
        int end = in.end(i);
        int wanted = Math.max(0, lengths.get(i));
        checkLength(wanted);
        int have = characters(in.data(), start, end);
        int fillLength = fills.end(i) - fills.start(i);
        if (have >= wanted || fillLength == 0) {
          out.append(in.data(), start, skip(in.data(), start, end, wanted));
        } else {
          if (!left) {
            out.append(in.data(), start, end);
          }
          fill(out, fills, i, wanted - have);
          if (left) {
            out.append(in.data(), start, end);
          }
        }
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  private static void fill(BytesBuilder out, BytesColumn fills, int row, int characters) {
    int start = fills.start(row);
    int end = fills.end(row);
    int each = characters(fills.data(), start, end);
    for (int whole = characters / each; whole > 0; whole--) {
      out.append(fills.data(), start, end);
    }
    out.append(fills.data(), start, skip(fills.data(), start, end, characters % each));
  }

  public static Column repeat(Column text, Column times) {
    BytesColumn in = Flats.bytes(text);
    IntColumn counts = Flats.ints(times);
    int n = in.length();
    byte[] valid = Masks.and(in, counts);
    BytesBuilder out = new BytesBuilder(n, 16);
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        checkLength((long) (in.end(i) - in.start(i)) * Math.max(0, counts.get(i)));
        for (int k = counts.get(i); k > 0 && in.end(i) > in.start(i); k--) {
          out.append(in.data(), in.start(i), in.end(i));
        }
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  private static void checkLength(long length) {
    if (length > LONGEST) {
      throw new VarveException(
          ErrorCode.STRING_TOO_LONG,
          "requested length too large: " + length + "; the limit is " + LONGEST);
    }
  }

  /** Joined with nothing between; null where one is null. */
  public static Column concatStrict(List<Column> parts) {
    return join(parts, validity(parts), null);
  }

  /** Joined with nothing between; nulls are left out. */
  public static Column concat(List<Column> parts) {
    return join(parts, null, null);
  }

  /** Joined with a separator between those that are not null; null where the separator is. */
  public static Column concatWithSeparator(Column separator, List<Column> parts) {
    return join(parts, Masks.copy(separator.flat()), Flats.bytes(separator));
  }

  private static Column join(
      List<Column> parts, byte @Nullable [] valid, @Nullable BytesColumn separator) {
    int n = parts.get(0).length();
    BytesColumn[] columns = new BytesColumn[parts.size()];
    for (int k = 0; k < columns.length; k++) {
      columns[k] = Flats.bytes(parts.get(k));
    }
    BytesBuilder out = new BytesBuilder(n, 16);
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        boolean first = true;
        for (BytesColumn column : columns) {
          if (column.isNull(i)) {
            continue;
          }
          if (separator != null && !first) {
            out.append(separator.data(), separator.start(i), separator.end(i));
          }
          first = false;
          out.append(column.data(), column.start(i), column.end(i));
        }
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  /** Valid where all are; null if none has nulls. */
  static byte @Nullable [] validity(List<? extends Column> columns) {
    byte[] all = null;
    for (Column column : columns) {
      Column flat = column.flat();
      if (flat.mayHaveNulls()) {
        byte[] own = Masks.copyOrFull(flat);
        if (all != null) {
          for (int i = 0; i < own.length; i++) {
            own[i] &= all[i];
          }
        }
        all = own;
      }
    }
    return all;
  }
}
