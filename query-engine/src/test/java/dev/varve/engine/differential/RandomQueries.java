package dev.varve.engine.differential;

import dev.varve.engine.differential.Query.Cte;
import dev.varve.engine.differential.Query.Item;
import dev.varve.engine.differential.Query.Key;
import dev.varve.engine.differential.Query.Order;
import dev.varve.engine.differential.Query.Select;
import dev.varve.engine.differential.Query.SetOperation;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Queries over random tables. Where a LIMIT stands, the order decides which rows it keeps. */
final class RandomQueries implements RandomExpressions.SubQueries {
  /** Pairs of rows that a join without keys may look at. */
  private static final double MOST_PAIRS = 60_000;

  private static final int DEPTH = 2;

  /** Something that can stand in FROM, with its columns' names and about how many rows it has. */
  private record Relation(From from, List<Expr> columns, double rows) {}

  private record Named(String name, List<Item> items, double rows) {}

  private final Random random;
  private final List<TestTable> tables;
  private final RandomExpressions expressions;
  private final RandomAggregates aggregates;
  private final List<Named> ctes = new ArrayList<>();
  private int aliases;
  private int nested;

  /** About how many rows the last query read. */
  private double rows;

  RandomQueries(Random random, List<TestTable> tables) {
    this.random = random;
    this.tables = tables;
    this.expressions = new RandomExpressions(random, this);
    this.aggregates = new RandomAggregates(expressions, random);
  }

  Query next() {
    aliases = 0;
    ctes.clear();
    List<Cte> with = new ArrayList<>();
    if (random.nextInt(6) == 0) {
      for (int i = 0; i <= random.nextInt(2); i++) {
        Select query = random.nextBoolean() ? grouped(Scope.EMPTY) : plain(Scope.EMPTY, false);
        String name = "w" + i;
        with.add(new Cte(name, query));
        ctes.add(new Named(name, query.items(), rows));
      }
    }
    Query query =
        switch (random.nextInt(10)) {
          case 0, 1, 2, 3 -> plain(Scope.EMPTY, true);
          case 4 -> distinct();
          case 5 -> with.isEmpty() ? setOperation() : grouped(Scope.EMPTY);
          default -> grouped(Scope.EMPTY);
        };
    if (query instanceof Select s) {
      query =
          new Select(
              with,
              s.distinct(),
              s.items(),
              s.from(),
              s.where(),
              s.groupBy(),
              s.grouping(),
              s.having(),
              s.order());
    }
    return query;
  }

  private Select plain(Scope outer, boolean approximate) {
    Relation relation = relation(outer);
    Scope scope = outer.around(relation.columns());
    List<Item> items = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 1; i <= count; i++) {
      Expr expr =
          approximate && random.nextInt(4) == 0
              ? expressions.shown(scope, DEPTH)
              : random.nextInt(3) == 0 ? expressions.any(scope, DEPTH) : expressions.any(scope, 0);
      items.add(new Item(expr, "c" + i));
    }
    Order order = order(items, false);
    if (!order.keys().isEmpty() && random.nextInt(4) == 0) {
      Expr key = expressions.any(Scope.of(relation.columns()), 1);
      // A number alone means a position.
      if (key.parts().size() > 1 && !key.sql().startsWith("CAST(")) {
        List<Key> keys = new ArrayList<>(order.keys());
        keys.addFirst(new Key(key, options()));
        order = new Order(keys, order.total(), order.limit());
      }
    }
    return new Select(
        List.of(),
        false,
        items,
        Optional.of(relation.from()),
        conditions(scope),
        List.of(),
        "",
        List.of(),
        order);
  }

  private Select distinct() {
    Select select = plain(Scope.EMPTY, false);
    List<Key> names =
        select.order().keys().stream().filter(k -> k.by() instanceof Part.Text).toList();
    return new Select(
        List.of(),
        true,
        select.items(),
        select.from(),
        select.where(),
        List.of(),
        "",
        List.of(),
        new Order(names, select.order().total(), select.order().limit()));
  }

  private Select grouped(Scope outer) {
    Relation relation = relation(outer);
    Scope scope = outer.around(relation.columns());
    Scope own = Scope.of(relation.columns());
    List<Expr> keys = new ArrayList<>();
    List<Item> items = new ArrayList<>();
    int count = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      Expr key = expressions.any(own, random.nextInt(3) == 0 ? 1 : 0);
      // A literal key means a position, and a query in a key is refused by DuckDB.
      if (own.columns().stream().anyMatch(c -> key.sql().contains(c.sql()))
          && !key.sql().contains("SELECT")
          && !keys.contains(key)) {
        keys.add(key);
        items.add(new Item(key, "c" + items.size()));
      }
    }
    for (int i = 0; i <= random.nextInt(3); i++) {
      items.add(new Item(aggregates.aggregate(own, relation.rows(), 1), "c" + items.size()));
    }
    List<Expr> having = new ArrayList<>();
    if (!keys.isEmpty() && random.nextInt(4) == 0) {
      Expr aggregate = aggregates.aggregate(own, relation.rows(), 1);
      if (aggregate.approximate()) {
        aggregate = Expr.of(DataType.BIGINT, relation.rows(), "count(*)");
      }
      having.add(
          Expr.bool(
              "{0} " + List.of("=", "<>", ">", "<=").get(random.nextInt(4)) + " {1}",
              aggregate,
              expressions.literal(aggregate.family())));
    }
    String grouping =
        keys.isEmpty() || random.nextInt(8) != 0
            ? ""
            : List.of("ROLLUP ({})", "CUBE ({})").get(random.nextInt(2));
    return new Select(
        List.of(),
        false,
        items,
        Optional.of(relation.from()),
        conditions(scope),
        keys,
        grouping,
        having,
        order(items, grouping.isEmpty()));
  }

  private Query setOperation() {
    Query left = plain(Scope.EMPTY, false);
    String operator =
        List.of("UNION ALL", "UNION ALL", "UNION", "INTERSECT", "EXCEPT").get(random.nextInt(5));
    Query right = matching(left.items());
    List<Item> items = left.items();
    return new SetOperation(operator, left, right, order(items, false));
  }

  /** A query whose columns have the families of these. */
  private Select matching(List<Item> items) {
    Relation relation = relation(Scope.EMPTY);
    Scope scope = Scope.of(relation.columns());
    List<Item> own = new ArrayList<>();
    for (Item item : items) {
      Expr expr = expressions.of(item.expr().family(), scope, 1);
      if (item.expr().family() == Family.DECIMAL || item.expr().type().equals(DataType.REAL)) {
        expr = item.expr().type().equals(expr.type()) ? expr : cast(expr, item.expr());
      } else if (expr.type().equals(DataType.REAL)) {
        expr = RandomExpressions.asDouble(expr);
      }
      own.add(new Item(expr, item.name()));
    }
    return new Select(
        List.of(),
        false,
        own,
        Optional.of(relation.from()),
        conditions(scope),
        List.of(),
        "",
        List.of(),
        Order.NONE);
  }

  private static Expr cast(Expr expr, Expr like) {
    return Expr.of(like.type(), like.bound(), "CAST(NULL AS " + like.type() + ")");
  }

  @Override
  public Query column(Family family, Scope scope) {
    nested++;
    try {
      Relation relation = table(false);
      Scope inner = scope.around(relation.columns());
      List<Expr> where = new ArrayList<>();
      if (random.nextInt(3) != 0) {
        correlation(relation, scope).ifPresent(where::add);
      }
      if (random.nextInt(3) == 0) {
        where.add(expressions.predicate(nested > 1 ? Scope.of(relation.columns()) : inner, 0));
      }
      return new Select(
          List.of(),
          false,
          List.of(new Item(expressions.leaf(family, Scope.of(relation.columns())), "c1")),
          Optional.of(relation.from()),
          where,
          List.of(),
          "",
          List.of(),
          Order.NONE);
    } finally {
      nested--;
    }
  }

  @Override
  public Query scalar(Family family, Scope scope) {
    nested++;
    try {
      Relation relation = table(false);
      Expr column = expressions.leaf(family, Scope.of(relation.columns()));
      Expr one =
          switch (family) {
            case BOOLEAN -> Expr.bool("bool_or({0})", column);
            case UUID, BINARY, TIME ->
                Expr.of(column.type(), 0, "CAST(NULL AS " + column.type() + ")");
            case INTEGER ->
                Expr.of(
                    column.type(),
                    column.bound(),
                    random.nextInt(3) == 0 ? "count({0})" : "max({0})",
                    column);
            default -> Expr.of(column.type(), column.bound(), "min({0})", column);
          };
      List<Expr> where = new ArrayList<>();
      if (one.sql().startsWith("CAST")) {
        one = Expr.of(column.type(), 0, "CAST(NULL AS " + column.type() + ")");
        return new Select(
            List.of(),
            false,
            List.of(new Item(one, "c1")),
            Optional.empty(),
            where,
            List.of(),
            "",
            List.of(),
            Order.NONE);
      }
      if (random.nextBoolean()) {
        correlation(relation, scope).ifPresent(where::add);
      }
      return new Select(
          List.of(),
          false,
          List.of(new Item(one, "c1")),
          Optional.of(relation.from()),
          where,
          List.of(),
          "",
          List.of(),
          Order.NONE);
    } finally {
      nested--;
    }
  }

  private Optional<Expr> correlation(Relation relation, Scope outer) {
    List<Expr> around = outer.columns();
    if (around.isEmpty()) {
      return Optional.empty();
    }
    for (int attempt = 0; attempt < 4; attempt++) {
      Expr mine = relation.columns().get(random.nextInt(relation.columns().size()));
      Expr theirs = around.get(random.nextInt(around.size()));
      if (mine.family() == theirs.family()
          && mine.type().equals(DataType.REAL) == theirs.type().equals(DataType.REAL)) {
        return Optional.of(
            Expr.bool(
                "{0} " + List.of("=", "=", "=", "<>", "<").get(random.nextInt(5)) + " {1}",
                mine,
                theirs));
      }
    }
    return Optional.empty();
  }

  private List<Expr> conditions(Scope scope) {
    List<Expr> all = new ArrayList<>();
    for (int i = 0; i < random.nextInt(3); i++) {
      all.add(expressions.predicate(scope, DEPTH));
    }
    return all;
  }

  /** Every exact column in some sequence, so that the rows have one right order; or none. */
  private Order order(List<Item> items, boolean grouped) {
    if (random.nextInt(3) == 0) {
      return Order.NONE;
    }
    List<Key> keys = new ArrayList<>();
    boolean total = true;
    for (Item item : items) {
      if (item.expr().approximate()) {
        total = false;
      } else {
        keys.add(new Key(new Part.Text(item.name()), options()));
      }
    }
    if (keys.isEmpty()) {
      return Order.NONE;
    }
    if (random.nextBoolean()) {
      Collections.shuffle(keys, random);
    }
    String limit = "";
    if ((total || grouped) && random.nextInt(2) == 0) {
      limit = " LIMIT " + List.of(0, 1, 3, 10, 50, 1000).get(random.nextInt(6));
      if (random.nextInt(3) == 0) {
        limit += " OFFSET " + List.of(0, 1, 5, 40).get(random.nextInt(4));
      }
    } else if (total && random.nextInt(8) == 0) {
      limit = " OFFSET " + List.of(1, 5).get(random.nextInt(2));
    }
    return new Order(keys, total, limit);
  }

  private String options() {
    return List.of("", "", " ASC", " DESC", " NULLS FIRST", " DESC NULLS LAST")
        .get(random.nextInt(6));
  }

  private Relation relation(Scope outer) {
    Relation relation = randomRelation(outer);
    rows = relation.rows();
    return relation;
  }

  private Relation randomRelation(Scope outer) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> table(true);
      case 3 -> derived();
      case 4 -> usingJoin();
      case 5 -> join(join(source(), source()), source());
      default -> join(source(), source());
    };
  }

  private Relation source() {
    return random.nextInt(6) == 0 && nested == 0 ? derived() : table(true);
  }

  private Relation table(boolean any) {
    String alias = alias();
    if (!ctes.isEmpty() && any && random.nextInt(2) == 0) {
      Named cte = ctes.get(random.nextInt(ctes.size()));
      return new Relation(
          new From.Named(cte.name(), alias), columns(cte.items(), alias), cte.rows());
    }
    TestTable table = tables.get(random.nextInt(tables.size()));
    return named(table, alias);
  }

  private static Relation named(TestTable table, String alias) {
    List<Expr> columns = new ArrayList<>();
    for (TestColumn column : table.columns()) {
      columns.add(name(column.type(), column.bound(), alias + "." + column.name()));
    }
    return new Relation(new From.Named(table.name(), alias), columns, table.rows().size());
  }

  private static Expr name(DataType type, double bound, String name) {
    return new Expr(type, false, bound, List.of(new Part.Text(name)));
  }

  private static List<Expr> columns(List<Item> items, String alias) {
    List<Expr> columns = new ArrayList<>();
    for (Item item : items) {
      if (!item.expr().approximate()) {
        columns.add(name(item.expr().type(), item.expr().bound(), alias + "." + item.name()));
      }
    }
    return columns;
  }

  private Relation derived() {
    nested++;
    try {
      Query query =
          nested > 2
              ? plainTable()
              : switch (random.nextInt(4)) {
                case 0 -> grouped(Scope.EMPTY);
                case 1 -> distinct();
                default -> plain(Scope.EMPTY, false);
              };
      String alias = alias();
      List<Expr> columns = columns(query.items(), alias);
      return columns.isEmpty()
          ? table(true)
          : new Relation(new From.Derived(query, alias), columns, rows);
    } finally {
      nested--;
    }
  }

  private Select plainTable() {
    Relation relation = table(true);
    List<Item> items = new ArrayList<>();
    for (Expr column : relation.columns()) {
      items.add(new Item(column, "c" + items.size()));
    }
    return new Select(
        List.of(),
        false,
        items,
        Optional.of(relation.from()),
        List.of(),
        List.of(),
        "",
        List.of(),
        Order.NONE);
  }

  private Relation usingJoin() {
    TestTable first = tables.get(random.nextInt(tables.size()));
    TestTable second = tables.get(random.nextInt(tables.size()));
    Relation left = named(first, alias());
    Relation right = named(second, alias());
    List<Expr> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    columns.add(name(DataType.BIGINT, RandomValues.TAME, "k"));
    if (left.rows() * right.rows() > 10 * MOST_PAIRS) {
      return left;
    }
    return new Relation(
        new From.Join(joinType(), left.from(), right.from(), List.of(), "USING (k)"),
        columns,
        Math.max(1, left.rows() * right.rows() / 10));
  }

  private String joinType() {
    return List.of("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN").get(random.nextInt(5));
  }

  private Relation join(Relation left, Relation right) {
    List<Expr> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    double pairs = left.rows() * right.rows();
    List<Expr> on = new ArrayList<>();
    boolean swapped = random.nextInt(8) == 0;
    Relation first = swapped ? right : left;
    Relation second = swapped ? left : right;
    if (pairs < MOST_PAIRS && random.nextInt(12) == 0) {
      return new Relation(
          new From.Join("CROSS JOIN", first.from(), second.from(), List.of(), ""), columns, pairs);
    }
    String type = joinType();
    @Nullable Expr key = null;
    if (pairs >= MOST_PAIRS || random.nextInt(6) != 0) {
      for (int i = 0; i <= random.nextInt(2); i++) {
        key = key(left, right, pairs);
        if (key != null) {
          on.add(key);
        }
      }
    }
    if (on.isEmpty() && pairs >= MOST_PAIRS) {
      return left;
    }
    if (pairs / (on.isEmpty() ? 1 : 10) > 5 * MOST_PAIRS) {
      return left;
    }
    if (on.isEmpty() || random.nextInt(3) == 0) {
      // PostgreSQL joins fully only by keys.
      if (!type.equals("FULL JOIN") || on.isEmpty()) {
        type = type.equals("FULL JOIN") ? "LEFT JOIN" : type;
        Scope scope = Scope.of(columns);
        on.add(expressions.predicate(scope, random.nextInt(2)));
      }
    }
    return new Relation(
        new From.Join(type, first.from(), second.from(), on, ""),
        columns,
        Math.max(1, pairs / (key == null ? 1 : 10)));
  }

  private @Nullable Expr key(Relation left, Relation right, double pairs) {
    if (left.columns().isEmpty() || right.columns().isEmpty()) {
      return null;
    }
    for (int attempt = 0; attempt < 8; attempt++) {
      Expr a = left.columns().get(random.nextInt(left.columns().size()));
      Expr b = right.columns().get(random.nextInt(right.columns().size()));
      boolean numbers =
          a.family().isNumeric()
              && b.family().isNumeric()
              && !a.type().equals(DataType.REAL)
              && !b.type().equals(DataType.REAL);
      boolean fits =
          a.family() == b.family()
              && a.type().equals(DataType.REAL) == b.type().equals(DataType.REAL);
      // Booleans match half of all pairs.
      if (pairs >= MOST_PAIRS && a.family() == Family.BOOLEAN) {
        continue;
      }
      if (fits || numbers) {
        return Expr.bool(
            random.nextInt(10) == 0 ? "{0} IS NOT DISTINCT FROM {1}" : "{0} = {1}", a, b);
      }
    }
    return null;
  }

  private String alias() {
    return "r" + aliases++;
  }
}
