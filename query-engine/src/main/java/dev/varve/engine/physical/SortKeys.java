package dev.varve.engine.physical;

import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelFieldCollation;

/** The keys of ORDER BY; what is not said about nulls is PostgreSQL's default. */
final class SortKeys {
  private SortKeys() {}

  static Optional<LexOrdering> of(RelCollation collation, Schema input) {
    List<SortExpr> keys = new ArrayList<>();
    for (RelFieldCollation field : collation.getFieldCollations()) {
      keys.add(new SortExpr(ColumnExpr.of(input, field.getFieldIndex()), options(field)));
    }
    return keys.isEmpty() ? Optional.empty() : Optional.of(new LexOrdering(keys));
  }

  private static SortOptions options(RelFieldCollation field) {
    boolean descending = field.getDirection().isDescending();
    boolean nullsFirst =
        switch (field.nullDirection) {
          case FIRST -> true;
          case LAST -> false;
          case UNSPECIFIED -> descending;
        };
    return new SortOptions(descending, nullsFirst);
  }
}
