package dev.varve.engine.physical;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A random statement over tables {@code t(a, b, c, s)} and {@code u(a, b, c, s)}. Where it has an
 * order it is total over what is selected, so that its rows have one right sequence.
 */
final class RandomQuery {
  private final Random random;

  RandomQuery(Random random) {
    this.random = random;
  }

  /** The text and whether the sequence of its rows is decided. */
  record Text(String sql, boolean ordered) {}

  Text next() {
    String body =
        switch (random.nextInt(9)) {
          case 0, 1 -> select("t", "");
          case 2 -> grouped();
          case 3 -> joined();
          case 4 -> semi();
          case 5 -> union();
          case 6 -> "SELECT DISTINCT " + columns("t.", 2) + " FROM t" + where("t.");
          case 7 -> subquery();
          default -> computed();
        };
    int width = width(body.substring(0, body.indexOf(" FROM ")));
    if (random.nextInt(4) == 0) {
      return new Text(body, false);
    }
    String limit = random.nextInt(2) == 0 ? "" : " LIMIT " + random.nextInt(12);
    if (!limit.isEmpty() && random.nextBoolean()) {
      limit += " OFFSET " + random.nextInt(6);
    }
    return new Text(body + " ORDER BY " + totalOrder(width) + limit, true);
  }

  /** The commas outside brackets, and one. */
  private static int width(String columns) {
    int depth = 0;
    int width = 1;
    for (int i = 0; i < columns.length(); i++) {
      char c = columns.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      width += depth == 0 && c == ',' ? 1 : 0;
    }
    return width;
  }

  private String totalOrder(int width) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 1; i <= width; i++) {
      positions.add(i);
    }
    if (random.nextInt(3) == 0) {
      Collections.shuffle(positions, random);
    }
    List<String> keys = new ArrayList<>();
    for (int position : positions) {
      keys.add(position + pick("", "", " ASC", " DESC", " NULLS FIRST", " DESC NULLS LAST"));
    }
    return String.join(", ", keys);
  }

  private String select(String table, String prefix) {
    return "SELECT " + columns(prefix, 2 + random.nextInt(2)) + " FROM " + table + where(prefix);
  }

  private String columns(String prefix, int count) {
    List<String> names = new ArrayList<>(List.of("a", "b", "c", "s"));
    if (random.nextBoolean()) {
      Collections.shuffle(names, random);
    }
    return String.join(", ", names.subList(0, count).stream().map(n -> prefix + n).toList());
  }

  private String computed() {
    return "SELECT "
        + pick("a", "a + 1", "-a", "CAST(a AS integer)", "a / 3", "a % 3", "a * 2")
        + " AS x, "
        + pick("b", "b - a", "a + b", "coalesce(b, 0)", "CASE WHEN b > 2 THEN b ELSE a END")
        + " AS y, c FROM t"
        + where("");
  }

  private String grouped() {
    String keys = pick("a", "b", "a, b", "b, c", "s", "a % 3", "a, s");
    return "SELECT "
        + keys
        + ", count(*), sum(c), min(b), max(a), count(DISTINCT "
        + pick("b", "s")
        + ") FROM t"
        + where("")
        + " GROUP BY "
        + keys
        + pick("", "", " HAVING count(*) > 1", " HAVING min(b) IS NOT NULL");
  }

  private String joined() {
    String type = pick("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
    String on =
        pick(
            "t.a = u.a",
            "t.a = u.a AND t.b = u.b",
            "t.b = u.c",
            "t.a = u.b AND t.c = u.c",
            "t.s = u.s AND t.a = u.a");
    if (!type.equals("FULL JOIN") && random.nextInt(3) == 0) {
      on += pick(" AND t.c < u.c", " AND t.b <> u.b", " AND u.c > 2", " AND t.c > 1");
    }
    return "SELECT t.a, t.b, t.c, u.a, u.b, u.c FROM t "
        + type
        + " u ON "
        + on
        + (type.equals("JOIN") ? where("t.") : "");
  }

  private String semi() {
    return "SELECT a, b, c FROM t WHERE "
        + pick(
            "a IN (SELECT a FROM u)",
            "b IN (SELECT b FROM u)",
            "b NOT IN (SELECT c FROM u WHERE c IS NOT NULL)",
            "b NOT IN (SELECT b FROM u)",
            "b NOT IN (SELECT b FROM u WHERE u.c = t.c)",
            "b IN (SELECT b FROM u WHERE u.a = t.a)",
            "EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.b > t.b)",
            "NOT EXISTS (SELECT 1 FROM u WHERE u.b = t.b)",
            "(b IN (SELECT b FROM u) OR c > 3)",
            "(b NOT IN (SELECT b FROM u) OR c > 3)",
            "c > (SELECT min(c) FROM u)",
            "c >= (SELECT avg(u.c) FROM u WHERE u.a = t.a)")
        + pick("", "", " AND c > 1");
  }

  private String union() {
    return "SELECT a, b FROM (SELECT a, b FROM t"
        + where("")
        + " "
        + pick("UNION ALL", "UNION", "INTERSECT", "EXCEPT")
        + " SELECT a, "
        + pick("b", "c")
        + " FROM u"
        + where("")
        + ") x";
  }

  private String subquery() {
    return "SELECT a, b, s FROM (SELECT a, b, s FROM t ORDER BY a, b, s, c LIMIT "
        + (5 + random.nextInt(10))
        + pick("", " OFFSET 3")
        + ") x"
        + where("");
  }

  private String where(String prefix) {
    return switch (random.nextInt(7)) {
      case 0 -> " WHERE " + prefix + "a = " + random.nextInt(5);
      case 1 -> " WHERE " + prefix + "b = " + random.nextInt(5);
      case 2 -> " WHERE " + prefix + "a > " + random.nextInt(5);
      case 3 -> " WHERE " + prefix + "a = " + prefix + "b";
      case 4 -> " WHERE " + prefix + "b IS NOT NULL AND " + prefix + "a < 6";
      default -> "";
    };
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
