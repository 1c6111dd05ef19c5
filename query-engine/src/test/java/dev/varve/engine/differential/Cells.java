package dev.varve.engine.differential;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Blob;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows of two engines: numbers by value, whatever their type, exactly; those of
 * columns that are approximate to nine digits.
 */
final class Cells {
  private static final double TOLERANCE = 1e-9;

  private Cells() {}

  static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "NULL";
      case Float f when !Float.isFinite(f) -> f.toString();
      case Double d when !Double.isFinite(d) -> d.toString();
      case Float f -> number(new BigDecimal(f));
      case Double d -> number(new BigDecimal(d));
      case BigDecimal d -> number(d);
      case BigInteger i -> number(new BigDecimal(i));
      case Number n -> number(BigDecimal.valueOf(n.longValue()));
      case Timestamp t -> t.toLocalDateTime().toString();
      case OffsetDateTime t -> t.toInstant().toString();
      case Instant t -> t.toString();
      case java.sql.Date d -> d.toLocalDate().toString();
      case java.sql.Time t -> t.toLocalTime().toString();
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case Blob blob -> hex(blob);
      default -> value.toString();
    };
  }

  private static String hex(Blob blob) {
    try {
      return HexFormat.of().formatHex(blob.getBytes(1, (int) blob.length()));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String number(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  /** What is different, if anything is. */
  static Optional<String> difference(
      List<List<@Nullable Object>> ours, List<List<@Nullable Object>> right, Statement statement) {
    List<List<String>> left = texts(ours, statement);
    List<List<String>> wanted = texts(right, statement);
    for (int i = 0; i < Math.min(left.size(), wanted.size()); i++) {
      if (!same(left.get(i), wanted.get(i), statement)) {
        return Optional.of(
            "row %d: %s instead of %s (%d rows, %d right)"
                .formatted(i, left.get(i), wanted.get(i), left.size(), wanted.size()));
      }
    }
    return left.size() == wanted.size()
        ? Optional.empty()
        : Optional.of(
            "%d rows instead of %d; the first too %s is %s"
                .formatted(
                    left.size(),
                    wanted.size(),
                    left.size() > wanted.size() ? "many" : "few",
                    left.size() > wanted.size()
                        ? left.get(wanted.size())
                        : wanted.get(left.size())));
  }

  private static List<List<String>> texts(List<List<@Nullable Object>> rows, Statement statement) {
    List<List<String>> texts = new ArrayList<>();
    for (List<@Nullable Object> row : rows) {
      List<String> cells = new ArrayList<>();
      for (Object value : row) {
        cells.add(text(value));
      }
      texts.add(cells);
    }
    if (!statement.ordered()) {
      // Exact columns first: digits that may differ must not decide the sequence.
      Comparator<List<String>> exact =
          Comparator.comparing(row -> chosen(row, statement, false).toString());
      texts.sort(exact.thenComparing(row -> chosen(row, statement, true), Cells::byValue));
    }
    return texts;
  }

  private static List<String> chosen(List<String> row, Statement statement, boolean approximate) {
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      if (statement.approximate().get(i) == approximate) {
        chosen.add(row.get(i));
      }
    }
    return chosen;
  }

  private static int byValue(List<String> left, List<String> right) {
    for (int i = 0; i < left.size(); i++) {
      // NULL has a place of its own: beside an infinity it would stand where chance puts it.
      int compared =
          Comparator.<String>comparingInt(cell -> cell.equals("NULL") ? 0 : 1)
              .thenComparingDouble(Cells::value)
              .compare(left.get(i), right.get(i));
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static double value(String cell) {
    return cell.equals("NULL") ? Double.NEGATIVE_INFINITY : Double.parseDouble(cell);
  }

  private static boolean same(List<String> ours, List<String> right, Statement statement) {
    for (int i = 0; i < right.size(); i++) {
      String a = ours.get(i);
      String b = right.get(i);
      if (a.equals(b)) {
        continue;
      }
      if (!statement.approximate().get(i) || a.equals("NULL") || b.equals("NULL")) {
        return false;
      }
      double x = Double.parseDouble(a);
      double y = Double.parseDouble(b);
      if (!(Math.abs(x - y) <= TOLERANCE * Math.max(1, Math.abs(y)))) {
        return false;
      }
    }
    return true;
  }
}
