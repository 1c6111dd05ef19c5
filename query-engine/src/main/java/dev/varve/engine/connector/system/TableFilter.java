package dev.varve.engine.connector.system;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which tables are asked about: the names that filters of the form {@code column = 'name'} leave.
 */
record TableFilter(List<Name> names) {
  static final TableFilter NONE = new TableFilter(List.of());

  /** Columns by position in the system table. */
  static final int CATALOG = 0;

  static final int SCHEMA = 1;
  static final int TABLE = 2;

  /** A column that must be one name; null is no name. */
  record Name(int column, @Nullable String value) {}

  TableFilter {
    names = List.copyOf(names);
  }

  /** With one more; {@code columns} are the system table's columns behind those of the filter. */
  Optional<TableFilter> with(PhysicalExpr filter, List<Integer> columns) {
    if (!(filter instanceof ComparisonExpr(ComparisonOp op, PhysicalExpr left, PhysicalExpr right))
        || op != ComparisonOp.EQ) {
      return Optional.empty();
    }
    PhysicalExpr column = left instanceof ColumnExpr ? left : right;
    PhysicalExpr value = left instanceof ColumnExpr ? right : left;
    if (!(column instanceof ColumnExpr named) || !(value instanceof LiteralExpr literal)) {
      return Optional.empty();
    }
    int position = columns.get(named.index());
    Object name = literal.value();
    if (position > TABLE || !(name == null || name instanceof String)) {
      return Optional.empty();
    }
    List<Name> more = new ArrayList<>(names);
    more.add(new Name(position, (String) name));
    return Optional.of(new TableFilter(more));
  }

  boolean admits(int column, String name) {
    return names.stream().allMatch(n -> n.column() != column || name.equals(n.value()));
  }

  @Override
  public String toString() {
    return names.isEmpty()
        ? "all tables"
        : String.join(
            " and ",
            names.stream()
                .map(n -> List.of("catalog", "schema", "table").get(n.column()) + " " + n.value())
                .toList());
  }
}
