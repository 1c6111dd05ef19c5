package dev.varve.engine.kernel;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A LIKE pattern, parsed once. {@code %} stands for any text, {@code _} for one character; the
 * escape character takes their meaning away. Between two {@code %} a pattern is a run of literal
 * bytes and {@code _}; runs are found leftmost one after the other, which needs no backtracking.
 * Immutable.
 */
public final class LikePattern {
  private final boolean caseInsensitive;
  private final List<Run> runs;
  private final boolean openStart;
  private final boolean openEnd;

  /** Literal bytes; {@code wild[i]} says that byte i is an underscore instead. */
  private record Run(byte[] bytes, boolean[] wild, boolean anyWild) {
    /** Where the run, which begins at {@code at}, ends; -1 if it does not match there. */
    int match(byte[] data, int at, int end) {
      if (!anyWild) {
        return at + bytes.length <= end
                && Arrays.equals(data, at, at + bytes.length, bytes, 0, bytes.length)
            ? at + bytes.length
            : -1;
      }
      int position = at;
      for (int i = 0; i < bytes.length; i++) {
        if (position >= end) {
          return -1;
        }
        if (wild[i]) {
          position++;
          while (position < end && (data[position] & 0xC0) == 0x80) {
            position++;
          }
        } else if (data[position++] != bytes[i]) {
          return -1;
        }
      }
      return position;
    }

    /** The start of the leftmost match from {@code from} on; -1 if there is none. */
    int find(byte[] data, int from, int end) {
      if (bytes.length == 0) {
        return from;
      }
      if (!anyWild) {
        return ByteSearch.find(bytes, data, from, end);
      }
      boolean firstIsLiteral = !wild[0];
      byte first = bytes[0];
      for (int at = from; at < end; at++) {
        boolean candidate = firstIsLiteral ? data[at] == first : (data[at] & 0xC0) != 0x80;
        if (candidate && match(data, at, end) >= 0) {
          return at;
        }
      }
      return -1;
    }

    /** Characters, where each byte that continues one is not counted. */
    int characters() {
      int count = 0;
      for (int i = 0; i < bytes.length; i++) {
        count += wild[i] || (bytes[i] & 0xC0) != 0x80 ? 1 : 0;
      }
      return count;
    }
  }

  private LikePattern(List<Run> runs, boolean openStart, boolean openEnd, boolean caseInsensitive) {
    this.runs = runs;
    this.openStart = openStart;
    this.openEnd = openEnd;
    this.caseInsensitive = caseInsensitive;
  }

  /** {@code escape} is one character, or empty for none. */
  public static LikePattern compile(String pattern, String escape, boolean caseInsensitive) {
    if (escape.codePointCount(0, escape.length()) > 1) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "invalid escape string: \"" + escape + "\"; it must be empty or one character");
    }
    int escapeCharacter = escape.isEmpty() ? -1 : escape.codePointAt(0);
    String text = caseInsensitive ? pattern.toLowerCase(Locale.ROOT) : pattern;
    if (caseInsensitive && escapeCharacter >= 0) {
      escapeCharacter = Character.toLowerCase(escapeCharacter);
    }
    List<Run> runs = new ArrayList<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    List<Integer> wildAt = new ArrayList<>();
    boolean openStart = false;
    boolean lastWasPercent = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c == escapeCharacter) {
        if (i >= text.length()) {
          throw new VarveException(
              ErrorCode.INVALID_PARAMETER,
              "LIKE pattern must not end with escape character: \"" + pattern + "\"");
        }
        c = text.codePointAt(i);
        i += Character.charCount(c);
      } else if (c == '%') {
        if (runs.isEmpty() && bytes.size() == 0) {
          openStart = true;
        } else if (!lastWasPercent) {
          runs.add(run(bytes, wildAt));
        }
        lastWasPercent = true;
        continue;
      } else if (c == '_') {
        wildAt.add(bytes.size());
        bytes.write('_');
        lastWasPercent = false;
        continue;
      }
      lastWasPercent = false;
      byte[] literal = Character.toString(c).getBytes(StandardCharsets.UTF_8);
      bytes.write(literal, 0, literal.length);
    }
    boolean openEnd = lastWasPercent;
    if (bytes.size() > 0 || (runs.isEmpty() && !openStart)) {
      runs.add(run(bytes, wildAt));
    }
    return new LikePattern(List.copyOf(runs), openStart, openEnd, caseInsensitive);
  }

  private static Run run(ByteArrayOutputStream bytes, List<Integer> wildAt) {
    byte[] literal = bytes.toByteArray();
    boolean[] wild = new boolean[literal.length];
    for (int at : wildAt) {
      wild[at] = true;
    }
    Run run = new Run(literal, wild, !wildAt.isEmpty());
    bytes.reset();
    wildAt.clear();
    return run;
  }

  public boolean caseInsensitive() {
    return caseInsensitive;
  }

  /** The bytes that every match begins with, escapes undone; empty if case does not matter. */
  public byte[] prefix() {
    if (caseInsensitive || openStart || runs.isEmpty()) {
      return new byte[0];
    }
    Run first = runs.get(0);
    int length = 0;
    while (length < first.bytes.length && !first.wild[length]) {
      length++;
    }
    return Arrays.copyOf(first.bytes, length);
  }

  /** Whether a value matches exactly if it begins with {@link #prefix}. */
  public boolean isPrefixOnly() {
    return !caseInsensitive && !openStart && openEnd && runs.size() == 1 && !runs.get(0).anyWild;
  }

  /** Whether a value matches exactly if it equals {@link #prefix}. */
  public boolean isExact() {
    return !caseInsensitive && !openStart && !openEnd && runs.size() == 1 && !runs.get(0).anyWild;
  }

  /** Whether the bytes, in lower case if case does not matter, match. */
  public boolean matches(byte[] data, int start, int end) {
    int at = start;
    int count = runs.size();
    int first = 0;
    if (!openStart) {
      at = runs.get(0).match(data, start, end);
      if (at < 0) {
        return false;
      }
      if (count == 1) {
        return openEnd || at == end;
      }
      first = 1;
    }
    int last = openEnd ? count : count - 1;
    for (int i = first; i < last; i++) {
      Run run = runs.get(i);
      int found = run.find(data, at, end);
      if (found < 0) {
        return false;
      }
      at = run.match(data, found, end);
    }
    return openEnd || endsWith(runs.get(count - 1), data, at, end);
  }

  /** Whether the run matches the last characters, none of them before {@code from}. */
  private static boolean endsWith(Run run, byte[] data, int from, int end) {
    int at = end;
    for (int left = run.characters(); left > 0; left--) {
      do {
        at--;
      } while (at >= from && (data[at] & 0xC0) == 0x80);
      if (at < from) {
        return false;
      }
    }
    return run.match(data, at, end) == end;
  }
}
