package dev.varve.engine.expr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.IntColumn;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedExpressionsTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.of("a", DataType.INTEGER, false),
          Field.of("b", DataType.INTEGER, false),
          Field.of("c", DataType.INTEGER, false));
  private static final PhysicalExpr A = ColumnExpr.of(SCHEMA, 0);
  private static final PhysicalExpr B = ColumnExpr.of(SCHEMA, 1);
  private static final PhysicalExpr C = ColumnExpr.of(SCHEMA, 2);
  private static final EvalContext CONTEXT =
      new EvalContext(0, java.time.ZoneOffset.UTC, "u", "c", "s");

  private final AtomicInteger evaluations = new AtomicInteger();

  /** The sum of two, which says how often it is computed. */
  private record Counted(PhysicalExpr sum, AtomicInteger evaluations, Volatility volatility)
      implements PhysicalExpr {
    @Override
    public DataType type() {
      return sum.type();
    }

    @Override
    public boolean nullable() {
      return sum.nullable();
    }

    @Override
    public List<PhysicalExpr> children() {
      return List.of(sum);
    }

    @Override
    public PhysicalExpr withChildren(List<PhysicalExpr> children) {
      return new Counted(children.get(0), evaluations, volatility);
    }

    @Override
    public Column evaluate(Batch batch, EvalContext context) {
      evaluations.incrementAndGet();
      return sum.evaluate(batch, context);
    }
  }

  private PhysicalExpr counted(Volatility volatility) {
    return new Counted(plus(A, B), evaluations, volatility);
  }

  private static PhysicalExpr plus(PhysicalExpr left, PhysicalExpr right) {
    return new ArithmeticExpr(ArithmeticOp.ADD, left, right, DataType.INTEGER);
  }

  private static List<List<Integer>> rows(List<Column> columns) {
    List<List<Integer>> rows = new ArrayList<>();
    for (Column column : columns) {
      List<Integer> values = new ArrayList<>();
      for (int i = 0; i < column.length(); i++) {
        values.add((Integer) column.value(i));
      }
      rows.add(values);
    }
    return rows;
  }

  private static Batch batch() {
    return new Batch(SCHEMA, List.of(ints(1, 2, 3), ints(10, 20, 30), ints(100, 200, 300)), 3);
  }

  private static Column ints(int... values) {
    return new IntColumn(DataType.INTEGER, values, null);
  }

  private List<List<Integer>> evaluate(List<PhysicalExpr> expressions) {
    return rows(SharedExpressions.of(expressions, SCHEMA.size()).evaluate(batch(), CONTEXT));
  }

  @Test
  void whatOccursInSeveralIsComputedOnce() {
    PhysicalExpr sum = counted(Volatility.IMMUTABLE);
    PhysicalExpr more = plus(sum, C);
    assertThat(evaluate(List.of(sum, more, plus(more, more), A)))
        .containsExactly(
            List.of(11, 22, 33), List.of(111, 222, 333), List.of(222, 444, 666), List.of(1, 2, 3));
    assertThat(evaluations).hasValue(1);
  }

  @Test
  void whatOccursOnceIsLeftWhereItIs() {
    List<PhysicalExpr> expressions = List.of(plus(A, B), plus(B, C), A);
    assertThat(SharedExpressions.of(expressions, SCHEMA.size()).shared()).isEmpty();
    assertThat(evaluate(expressions))
        .containsExactly(List.of(11, 22, 33), List.of(110, 220, 330), List.of(1, 2, 3));
  }

  @Test
  void volatileExpressionsAreComputedEachTime() {
    PhysicalExpr sum = counted(Volatility.VOLATILE);
    evaluate(List.of(sum, plus(sum, C)));
    assertThat(evaluations).hasValue(2);
  }

  @Test
  void whatAConditionGuardsIsNotComputedForAllRows() {
    PhysicalExpr sum = counted(Volatility.IMMUTABLE);
    PhysicalExpr never = new ComparisonExpr(ComparisonOp.LT, C, A);
    PhysicalExpr guarded =
        new CaseExpr(List.of(new CaseExpr.Branch(never, sum)), C, DataType.INTEGER);
    assertThat(evaluate(List.of(guarded, plus(guarded, A), plus(guarded, B))))
        .containsExactly(List.of(100, 200, 300), List.of(101, 202, 303), List.of(110, 220, 330));
    assertThat(evaluations).hasValue(0);
  }
}
