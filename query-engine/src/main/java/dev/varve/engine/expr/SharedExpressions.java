package dev.varve.engine.expr;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several expressions over the same rows, in which what occurs more than once is computed once.
 * Only what every row reaches is shared: not the inside of branches that a condition guards. A
 * shared value becomes a column after those of the input. Immutable.
 */
public final class SharedExpressions {
  private final List<PhysicalExpr> shared;
  private final List<PhysicalExpr> results;

  private SharedExpressions(List<PhysicalExpr> shared, List<PhysicalExpr> results) {
    this.shared = shared;
    this.results = results;
  }

  /**
   * @param inputColumns how many columns the rows have
   */
  public static SharedExpressions of(List<PhysicalExpr> expressions, int inputColumns) {
    Map<PhysicalExpr, Integer> occurrences = new LinkedHashMap<>();
    for (PhysicalExpr expression : expressions) {
      count(expression, occurrences);
    }
    List<PhysicalExpr> repeated =
        occurrences.entrySet().stream()
            .filter(e -> e.getValue() > 1)
            .map(Map.Entry::getKey)
            .sorted(Comparator.comparingInt(SharedExpressions::height))
            .toList();
    if (repeated.isEmpty()) {
      return new SharedExpressions(List.of(), List.copyOf(expressions));
    }
    Map<PhysicalExpr, PhysicalExpr> columns = new HashMap<>();
    List<PhysicalExpr> shared = new ArrayList<>();
    for (PhysicalExpr expression : repeated) {
      shared.add(replace(expression, columns));
      int position = inputColumns + columns.size();
      columns.put(
          expression,
          new ColumnExpr(position, "shared" + position, expression.type(), expression.nullable()));
    }
    return new SharedExpressions(
        List.copyOf(shared), expressions.stream().map(e -> replace(e, columns)).toList());
  }

  /** Counts what all rows reach; the inside of something that was met before is not met again. */
  private static void count(PhysicalExpr expression, Map<PhysicalExpr, Integer> occurrences) {
    List<PhysicalExpr> children = expression.children();
    if (children.isEmpty()) {
      return;
    }
    if (expression.volatility() != Volatility.VOLATILE
        && occurrences.merge(expression, 1, Integer::sum) > 1) {
      return;
    }
    boolean guards =
        expression instanceof CaseExpr
            || expression instanceof CoalesceExpr
            || expression instanceof AndExpr
            || expression instanceof OrExpr;
    for (PhysicalExpr child : guards ? children.subList(0, 1) : children) {
      count(child, occurrences);
    }
  }

  private static int height(PhysicalExpr expression) {
    int height = 0;
    for (PhysicalExpr child : expression.children()) {
      height = Math.max(height, 1 + height(child));
    }
    return height;
  }

  private static PhysicalExpr replace(
      PhysicalExpr expression, Map<PhysicalExpr, PhysicalExpr> columns) {
    PhysicalExpr column = columns.get(expression);
    if (column != null) {
      return column;
    }
    List<PhysicalExpr> children = expression.children();
    return children.isEmpty()
        ? expression
        : expression.withChildren(children.stream().map(c -> replace(c, columns)).toList());
  }

  /** What is computed once, in order; each may use those before it. */
  public List<PhysicalExpr> shared() {
    return shared;
  }

  /** One column for each expression. */
  public List<Column> evaluate(Batch batch, EvalContext context) {
    Batch rows = batch;
    if (!shared.isEmpty()) {
      List<Column> columns = new ArrayList<>(batch.columns());
      List<Field> fields = new ArrayList<>(batch.schema().fields());
      for (PhysicalExpr expression : shared) {
        columns.add(expression.evaluate(rows, context));
        fields.add(Field.of("shared" + columns.size(), expression.type(), true));
        rows = new Batch(new Schema(fields), columns, batch.rowCount());
      }
    }
    List<Column> evaluated = new ArrayList<>(results.size());
    for (PhysicalExpr result : results) {
      evaluated.add(result.evaluate(rows, context));
    }
    return evaluated;
  }
}
