package dev.varve.writer.parquet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Shortens bounds of strings and binaries; a string stays valid UTF-8. */
public final class Truncation {
  private static final int FIRST_SURROGATE = 0xD800;
  private static final int LAST_SURROGATE = 0xDFFF;

  private Truncation() {}

  /** A prefix of at most {@code limit} bytes. */
  public static byte[] lower(byte[] value, int limit, boolean text) {
    return Arrays.copyOf(
        value, text ? wholeCharacters(value, limit) : Math.min(limit, value.length));
  }

  /**
   * The prefix of at most {@code limit} bytes with its last increasable byte or character
   * increased; null if it has none.
   */
  public static byte @Nullable [] upper(byte[] value, int limit, boolean text) {
    return text ? upperText(value, limit) : upperBytes(value, limit);
  }

  private static byte @Nullable [] upperBytes(byte[] value, int limit) {
    int length = Math.min(limit, value.length);
    while (length > 0 && value[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return null;
    }
    byte[] cut = Arrays.copyOf(value, length);
    cut[length - 1]++;
    return cut;
  }

  private static byte @Nullable [] upperText(byte[] value, int limit) {
    int length = wholeCharacters(value, limit);
    while (length > 0) {
      int start = characterStart(value, length - 1);
      int next =
          new String(value, start, length - start, StandardCharsets.UTF_8).codePointAt(0) + 1;
      if (next >= FIRST_SURROGATE && next <= LAST_SURROGATE) {
        next = LAST_SURROGATE + 1;
      }
      if (next <= Character.MAX_CODE_POINT) {
        byte[] last = Character.toString(next).getBytes(StandardCharsets.UTF_8);
        byte[] cut = Arrays.copyOf(value, start + last.length);
        System.arraycopy(last, 0, cut, start, last.length);
        return cut;
      }
      length = start;
    }
    return null;
  }

  /** The most bytes up to {@code limit} that end between two characters. */
  private static int wholeCharacters(byte[] value, int limit) {
    return limit >= value.length ? value.length : characterStart(value, limit);
  }

  private static int characterStart(byte[] value, int at) {
    int start = at;
    while (start > 0 && (value[start] & 0xC0) == 0x80) {
      start--;
    }
    return start;
  }
}
