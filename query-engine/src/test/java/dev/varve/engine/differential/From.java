package dev.varve.engine.differential;

import java.util.ArrayList;
import java.util.List;

/** What stands after FROM. */
sealed interface From {
  String sql();

  List<From> smaller();

  /** A table or a CTE. */
  record Named(String name, String alias) implements From {
    @Override
    public String sql() {
      return name.equals(alias) ? name : name + " AS " + alias;
    }

    @Override
    public List<From> smaller() {
      return List.of();
    }
  }

  /** A query in brackets. */
  record Derived(Query query, String alias) implements From {
    @Override
    public String sql() {
      return "(" + query.sql() + ") AS " + alias;
    }

    @Override
    public List<From> smaller() {
      return query.smaller().stream().<From>map(q -> new Derived(q, alias)).toList();
    }
  }

  /** A join; no conditions is a cross join, a USING clause stands in their place. */
  record Join(String type, From left, From right, List<Expr> on, String using) implements From {
    @Override
    public String sql() {
      String condition =
          !using.isEmpty() ? " " + using : on.isEmpty() ? "" : " ON " + Query.Select.and(on);
      return left.sql()
          + " "
          + type
          + " "
          + (right instanceof Join ? "(" + right.sql() + ")" : right.sql())
          + condition;
    }

    @Override
    public List<From> smaller() {
      List<From> all = new ArrayList<>(List.of(left, right));
      for (List<Expr> fewer : Part.smaller(on, Expr::smaller)) {
        if (!fewer.isEmpty()) {
          all.add(new Join(type, left, right, fewer, using));
        }
      }
      if (!type.equals("JOIN") && !type.equals("CROSS JOIN")) {
        all.add(new Join("JOIN", left, right, on, using));
      }
      left.smaller().forEach(l -> all.add(new Join(type, l, right, on, using)));
      right.smaller().forEach(r -> all.add(new Join(type, left, r, on, using)));
      return all;
    }
  }
}
