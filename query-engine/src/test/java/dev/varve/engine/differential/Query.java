package dev.varve.engine.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A query, as a tree whose branches can be cut off. */
sealed interface Query extends Part {
  List<Item> items();

  List<Query> smaller();

  /** Without the column of this name, if it can be left out. */
  Optional<Query> without(String column);

  Order order();

  /** A column of the result. */
  record Item(Expr expr, String name) {}

  /** A query with a name. */
  record Cte(String name, Query query) {}

  /**
   * Sort keys and limit.
   *
   * @param total whether the keys decide the sequence of the rows
   */
  record Order(List<Key> keys, boolean total, String limit) {
    static final Order NONE = new Order(List.of(), false, "");

    String sql() {
      return (keys.isEmpty()
              ? ""
              : " ORDER BY "
                  + keys.stream()
                      .map(k -> k.by().sql() + k.options())
                      .collect(Collectors.joining(", ")))
          + limit;
    }

    Order without(String column) {
      return new Order(
          keys.stream().filter(k -> !k.by().sql().equals(column)).toList(), total, limit);
    }

    List<Order> smaller() {
      List<Order> all = new ArrayList<>();
      if (!keys.isEmpty()) {
        all.add(NONE);
      }
      if (!limit.isEmpty()) {
        all.add(new Order(keys, total, ""));
      }
      for (int i = 0; i < keys.size(); i++) {
        if (!(keys.get(i).by() instanceof Text)) {
          List<Key> fewer = new ArrayList<>(keys);
          fewer.remove(i);
          all.add(new Order(fewer, total, limit));
        }
        if (!keys.get(i).options().isEmpty()) {
          List<Key> plain = new ArrayList<>(keys);
          plain.set(i, new Key(keys.get(i).by(), ""));
          all.add(new Order(plain, total, limit));
        }
      }
      return all;
    }
  }

  /** A sort key: the name of a result column or an expression. */
  record Key(Part by, String options) {}

  /** SELECT. */
  record Select(
      List<Cte> with,
      boolean distinct,
      List<Item> items,
      Optional<From> from,
      List<Expr> where,
      List<Expr> groupBy,
      String grouping,
      List<Expr> having,
      Order order)
      implements Query {

    @Override
    public String sql() {
      StringBuilder sql = new StringBuilder();
      for (Cte cte : with) {
        sql.append(sql.isEmpty() ? "WITH " : ", ")
            .append(cte.name() + " AS (" + cte.query().sql() + ")");
      }
      sql.append(with.isEmpty() ? "" : " ")
          .append(distinct ? "SELECT DISTINCT " : "SELECT ")
          .append(
              items.stream()
                  .map(i -> i.expr().sql() + " AS " + i.name())
                  .collect(Collectors.joining(", ")));
      from.ifPresent(f -> sql.append(" FROM ").append(f.sql()));
      sql.append(where.isEmpty() ? "" : " WHERE " + and(where));
      if (!groupBy.isEmpty()) {
        String keys = groupBy.stream().map(Expr::sql).collect(Collectors.joining(", "));
        sql.append(" GROUP BY ").append(grouping.isEmpty() ? keys : grouping.replace("{}", keys));
      }
      sql.append(having.isEmpty() ? "" : " HAVING " + and(having)).append(order.sql());
      return sql.toString();
    }

    static String and(List<Expr> conjuncts) {
      return conjuncts.stream().map(c -> "(" + c.sql() + ")").collect(Collectors.joining(" AND "));
    }

    @Override
    public Optional<Query> without(String column) {
      List<Item> fewer = items.stream().filter(i -> !i.name().equals(column)).toList();
      // Where digits may differ, fewer sort keys may not decide which rows a limit keeps.
      boolean undecided =
          !order.limit().isEmpty() && fewer.stream().anyMatch(i -> i.expr().approximate());
      return fewer.isEmpty() || fewer.size() == items.size() || undecided
          ? Optional.empty()
          : Optional.of(
              new Select(
                  with,
                  distinct,
                  fewer,
                  from,
                  where,
                  groupBy,
                  grouping,
                  having,
                  // A column that is gone decides no sequence, but the rest still must.
                  order.without(column)));
    }

    @Override
    public List<Query> smaller() {
      List<Query> all = new ArrayList<>();
      for (List<Cte> w :
          Part.smaller(
              with, c -> c.query().smaller().stream().map(q -> new Cte(c.name(), q)).toList())) {
        all.add(new Select(w, distinct, items, from, where, groupBy, grouping, having, order));
      }
      for (Order o : order.smaller()) {
        all.add(new Select(with, distinct, items, from, where, groupBy, grouping, having, o));
      }
      from.ifPresent(
          f -> {
            for (From s : f.smaller()) {
              all.add(
                  new Select(
                      with,
                      distinct,
                      items,
                      Optional.of(s),
                      where,
                      groupBy,
                      grouping,
                      having,
                      order));
            }
          });
      if (items.size() > 1) {
        for (Item item : items) {
          without(item.name()).ifPresent(all::add);
        }
      }
      if (distinct) {
        all.add(new Select(with, false, items, from, where, groupBy, grouping, having, order));
      }
      for (List<Expr> w : Part.smaller(where, Expr::smaller)) {
        all.add(new Select(with, distinct, items, from, w, groupBy, grouping, having, order));
      }
      for (List<Expr> h : Part.smaller(having, Expr::smaller)) {
        all.add(new Select(with, distinct, items, from, where, groupBy, grouping, h, order));
      }
      if (!grouping.isEmpty()) {
        all.add(new Select(with, distinct, items, from, where, groupBy, "", having, order));
      }
      addSmallerKeys(all);
      for (List<Item> i :
          Part.smallerElements(
              items, i -> i.expr().smaller().stream().map(e -> new Item(e, i.name())).toList())) {
        all.add(new Select(with, distinct, i, from, where, groupBy, grouping, having, order));
      }
      return all;
    }

    /** A group key goes, or gets smaller, together with the columns that show it. */
    private void addSmallerKeys(List<Query> all) {
      for (int i = 0; i < groupBy.size(); i++) {
        Expr key = groupBy.get(i);
        List<Expr> fewer = new ArrayList<>(groupBy);
        fewer.remove(i);
        List<Item> left = items.stream().filter(x -> !x.expr().equals(key)).toList();
        if (!left.isEmpty()) {
          Order o = order;
          for (Item item : items) {
            o = left.contains(item) ? o : o.without(item.name());
          }
          all.add(
              new Select(
                  with,
                  distinct,
                  left,
                  from,
                  where,
                  fewer,
                  fewer.isEmpty() ? "" : grouping,
                  having,
                  o));
        }
        for (Expr smallerKey : key.smaller()) {
          List<Expr> keys = new ArrayList<>(groupBy);
          keys.set(i, smallerKey);
          List<Item> shown =
              items.stream()
                  .map(x -> x.expr().equals(key) ? new Item(smallerKey, x.name()) : x)
                  .toList();
          all.add(new Select(with, distinct, shown, from, where, keys, grouping, having, order));
        }
      }
    }
  }

  /** UNION, INTERSECT or EXCEPT. */
  record SetOperation(String operator, Query left, Query right, Order order) implements Query {
    @Override
    public List<Item> items() {
      return left.items();
    }

    @Override
    public String sql() {
      return side(left) + " " + operator + " " + side(right) + order.sql();
    }

    private static String side(Query query) {
      return query.order().equals(Order.NONE) && !(query instanceof SetOperation)
          ? query.sql()
          : "(" + query.sql() + ")";
    }

    @Override
    public Optional<Query> without(String column) {
      return left.without(column)
          .flatMap(
              l ->
                  right
                      .without(column)
                      .map(r -> new SetOperation(operator, l, r, order.without(column))));
    }

    @Override
    public List<Query> smaller() {
      List<Query> all = new ArrayList<>(List.of(left, right));
      for (Order o : order.smaller()) {
        all.add(new SetOperation(operator, left, right, o));
      }
      for (Item item : items()) {
        without(item.name()).ifPresent(all::add);
      }
      left.smaller().forEach(l -> all.add(new SetOperation(operator, l, right, order)));
      right.smaller().forEach(r -> all.add(new SetOperation(operator, left, r, order)));
      return all;
    }
  }
}
