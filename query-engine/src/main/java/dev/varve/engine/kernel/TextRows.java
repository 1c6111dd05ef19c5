package dev.varve.engine.kernel;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Text functions that are not worth a loop on bytes: each row goes through a Java string. */
public final class TextRows {
  private TextRows() {}

  public static Column map(Column column, UnaryOperator<String> operation) {
    BytesColumn in = Flats.bytes(column);
    BytesBuilder out = new BytesBuilder(in.length(), 16);
    for (int i = 0; i < in.length(); i++) {
      if (!in.isNull(i)) {
        out.append(operation.apply(in.getString(i)));
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, Masks.copy(in));
  }

  public static Column mapToInt(Column column, ToIntFunction<String> operation) {
    BytesColumn in = Flats.bytes(column);
    int[] out = new int[in.length()];
    for (int i = 0; i < out.length; i++) {
      if (!in.isNull(i)) {
        out[i] = operation.applyAsInt(in.getString(i));
      }
    }
    return new IntColumn(DataType.INTEGER, out, Masks.copy(in));
  }

  /** A row of text arguments to a text. */
  @FunctionalInterface
  public interface RowFunction {
    String apply(String[] arguments);
  }

  /** Strict in all arguments, which are text. */
  public static Column map(List<Column> arguments, RowFunction operation) {
    int n = arguments.get(0).length();
    byte[] valid = Strings.validity(arguments);
    BytesColumn[] columns = new BytesColumn[arguments.size()];
    for (int k = 0; k < columns.length; k++) {
      columns[k] = Flats.bytes(arguments.get(k));
    }
    BytesBuilder out = new BytesBuilder(n, 16);
    String[] row = new String[columns.length];
    for (int i = 0; i < n; i++) {
      if (valid == null || valid[i] != 0) {
        for (int k = 0; k < columns.length; k++) {
          row[k] = columns[k].getString(i);
        }
        out.append(operation.apply(row));
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  public static Column fromInts(Column column, IntFunction<String> operation) {
    IntColumn in = Flats.ints(column);
    BytesBuilder out = new BytesBuilder(in.length(), 8);
    for (int i = 0; i < in.length(); i++) {
      if (!in.isNull(i)) {
        out.append(operation.apply(in.get(i)));
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, Masks.copy(in));
  }

  public static String reverse(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  /**
   * The first letter of each word in upper case, the rest in lower; words are letters and digits.
   */
  public static String initCap(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean inWord = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      out.appendCodePoint(inWord ? Character.toLowerCase(c) : Character.toUpperCase(c));
      inWord = Character.isLetterOrDigit(c);
    }
    return out.toString();
  }

  public static int ascii(String text) {
    return text.isEmpty() ? 0 : text.codePointAt(0);
  }

  public static String chr(int codePoint) {
    boolean surrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
    if (codePoint <= 0 || codePoint > Character.MAX_CODE_POINT || surrogate) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "requested character not valid: " + codePoint);
    }
    return Character.toString(codePoint);
  }

  public static String md5(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }

  /** Characters of {@code from} become those of {@code to} at the same place, or go. */
  public static String translate(String text, String from, String to) {
    int[] sources = from.codePoints().toArray();
    int[] targets = to.codePoints().toArray();
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              for (int i = 0; i < sources.length; i++) {
                if (sources[i] == c) {
                  if (i < targets.length) {
                    out.appendCodePoint(targets[i]);
                  }
                  return;
                }
              }
              out.appendCodePoint(c);
            });
    return out.toString();
  }

  /** Field {@code n} from 1, from the end if negative; empty if there is none. */
  public static String splitPart(String text, String delimiter, int n) {
    if (n == 0) {
      throw new VarveException(ErrorCode.INVALID_PARAMETER, "field position must not be zero");
    }
    if (delimiter.isEmpty()) {
      return n == 1 || n == -1 ? text : "";
    }
    int wanted = n;
    if (n < 0) {
      int fields = 1;
      for (int at = text.indexOf(delimiter); at >= 0; ) {
        fields++;
        at = text.indexOf(delimiter, at + delimiter.length());
      }
      wanted = fields + n + 1;
      if (wanted < 1) {
        return "";
      }
    }
    int start = 0;
    for (int field = 1; ; field++) {
      int end = text.indexOf(delimiter, start);
      if (field == wanted) {
        return text.substring(start, end < 0 ? text.length() : end);
      }
      if (end < 0) {
        return "";
      }
      start = end + delimiter.length();
    }
  }

  public static Column splitPart(Column text, Column delimiter, Column n) {
    BytesColumn texts = Flats.bytes(text);
    BytesColumn delimiters = Flats.bytes(delimiter);
    IntColumn counts = Flats.ints(n);
    byte[] valid = Strings.validity(List.of(texts, delimiters, counts));
    BytesBuilder out = new BytesBuilder(texts.length(), 8);
    for (int i = 0; i < texts.length(); i++) {
      if (valid == null || valid[i] != 0) {
        out.append(splitPart(texts.getString(i), delimiters.getString(i), counts.get(i)));
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  /**
   * The text with {@code count} characters from character {@code from} on replaced; as many as the
   * replacement has if {@code count} is not given.
   */
  public static Column overlay(
      Column text, Column replacement, Column from, @Nullable Column count) {
    BytesColumn texts = Flats.bytes(text);
    BytesColumn replacements = Flats.bytes(replacement);
    IntColumn starts = Flats.ints(from);
    IntColumn counts = count == null ? Flats.ints(Strings.length(replacement)) : Flats.ints(count);
    byte[] valid = Strings.validity(List.of(texts, replacements, starts, counts));
    BytesBuilder out = new BytesBuilder(texts.length(), 16);
    for (int i = 0; i < texts.length(); i++) {
      if (valid == null || valid[i] != 0) {
        if (starts.get(i) <= 0) {
          throw new VarveException(
              ErrorCode.INVALID_PARAMETER,
              "overlay must start at character 1 or after it: " + starts.get(i));
        }
        int begin = texts.start(i);
        int end = texts.end(i);
        byte[] data = texts.data();
        out.append(data, begin, Strings.skip(data, begin, end, starts.get(i) - 1L));
        out.append(replacements.data(), replacements.start(i), replacements.end(i));
        long resume = Math.max(0, starts.get(i) - 1L + counts.get(i));
        out.append(data, Strings.skip(data, begin, end, resume), end);
      }
      out.endRow();
    }
    return out.build(DataType.VARCHAR, valid);
  }

  /** Compiles a POSIX-like expression with PostgreSQL's flags: i, g, n, s, x. */
  public static Pattern pattern(String expression, String flags) {
    int options = 0;
    for (int i = 0; i < flags.length(); i++) {
      options |=
          switch (flags.charAt(i)) {
            case 'i' -> Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE;
            case 'n', 'm' -> Pattern.MULTILINE;
            case 'x' -> Pattern.COMMENTS;
            case 's', 'c', 'g' -> 0;
            default ->
                throw new VarveException(
                    ErrorCode.INVALID_PARAMETER,
                    "invalid regular expression option: \"" + flags.charAt(i) + "\"");
          };
    }
    if ((options & Pattern.MULTILINE) == 0) {
      options |= Pattern.DOTALL;
    }
    try {
      return Pattern.compile(expression, options);
    } catch (PatternSyntaxException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "invalid regular expression: " + e.getDescription() + ": \"" + expression + "\"");
    }
  }

  /** The pattern of the last row again if it is the same text. Confined to one call. */
  public static final class PatternMemory {
    private @Nullable String expression;
    private @Nullable String flags;
    private @Nullable Pattern pattern;

    public Pattern get(String newExpression, String newFlags) {
      Pattern known = pattern;
      if (known == null || !newExpression.equals(expression) || !newFlags.equals(flags)) {
        known = pattern(newExpression, newFlags);
        expression = newExpression;
        flags = newFlags;
        pattern = known;
      }
      return known;
    }
  }

  /** Replaces the first match, all with flag g; {@code \1} and {@code \&} refer to the match. */
  public static String regexpReplace(
      Pattern pattern, String text, String replacement, boolean all) {
    Matcher matcher = pattern.matcher(text);
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (matcher.find()) {
      out.append(text, at, matcher.start());
      appendReplacement(out, matcher, replacement);
      at = matcher.end();
      if (!all) {
        break;
      }
    }
    return out.append(text, at, text.length()).toString();
  }

  private static void appendReplacement(StringBuilder out, Matcher match, String replacement) {
    for (int i = 0; i < replacement.length(); i++) {
      char c = replacement.charAt(i);
      if (c != '\\' || i + 1 == replacement.length()) {
        out.append(c);
        continue;
      }
      char next = replacement.charAt(++i);
      if (next == '&') {
        out.append(match.group());
      } else if (next >= '0' && next <= '9') {
        int group = next - '0';
        String found = group <= match.groupCount() ? match.group(group) : null;
        out.append(found == null ? "" : found);
      } else {
        out.append(next == '\\' ? "\\" : "\\" + next);
      }
    }
  }
}
