package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Joins of every type against nested loops over boxed rows. */
class JoinTest {
  static List<String> expected(
      List<List<@Nullable Object>> left,
      List<List<@Nullable Object>> right,
      int leftColumns,
      int rightColumns,
      JoinType type,
      BiPredicate<List<@Nullable Object>, List<@Nullable Object>> match) {
    List<String> out = new ArrayList<>();
    boolean[] rightMatched = new boolean[right.size()];
    for (List<@Nullable Object> l : left) {
      boolean matched = false;
      for (int r = 0; r < right.size(); r++) {
        if (match.test(l, right.get(r))) {
          matched = true;
          rightMatched[r] = true;
          if (type.keepsLeftColumns() && type.keepsRightColumns()) {
            out.add(both(l, right.get(r)));
          }
        }
      }
      if (type.preservesLeft() && !matched) {
        out.add(both(l, Collections.nCopies(rightColumns, null)));
      }
      if ((type == JoinType.LEFT_SEMI && matched) || (type == JoinType.LEFT_ANTI && !matched)) {
        out.add(Harness.text(l));
      }
    }
    for (int r = 0; r < right.size(); r++) {
      if (type.preservesRight() && !rightMatched[r]) {
        out.add(both(Collections.nCopies(leftColumns, null), right.get(r)));
      }
      if ((type == JoinType.RIGHT_SEMI && rightMatched[r])
          || (type == JoinType.RIGHT_ANTI && !rightMatched[r])) {
        out.add(Harness.text(right.get(r)));
      }
    }
    return out;
  }

  private static String both(List<@Nullable Object> left, List<@Nullable Object> right) {
    List<@Nullable Object> row = new ArrayList<>(left);
    row.addAll(right);
    return Harness.text(row);
  }

  record Inputs(
      Schema leftSchema,
      Schema rightSchema,
      List<List<Batch>> left,
      List<List<Batch>> right,
      List<JoinKey> on,
      Optional<PhysicalExpr> residual,
      BiPredicate<List<@Nullable Object>, List<@Nullable Object>> match) {}

  static Inputs random(long seed) {
    RandomData data = new RandomData(seed);
    int keyCount = 1 + data.random().nextInt(3);
    DataType[] types = new DataType[keyCount + 1];
    for (int k = 0; k < keyCount; k++) {
      types[k] = data.type();
    }
    types[keyCount] = DataType.BIGINT;
    Schema schema = data.schema(types);
    List<JoinKey> on = new ArrayList<>();
    boolean[] nullsEqual = new boolean[keyCount];
    for (int k = 0; k < keyCount; k++) {
      nullsEqual[k] = data.random().nextInt(3) == 0;
      on.add(new JoinKey(ColumnExpr.of(schema, k), ColumnExpr.of(schema, k), nullsEqual[k]));
    }
    boolean withResidual = data.random().nextBoolean();
    Schema combined = schema.concat(schema);
    Optional<PhysicalExpr> residual =
        withResidual
            ? Optional.of(
                TestExpr.lessThan(
                    ColumnExpr.of(combined, keyCount), ColumnExpr.of(combined, 2 * keyCount + 1)))
            : Optional.empty();
    BiPredicate<List<@Nullable Object>, List<@Nullable Object>> match =
        (l, r) -> {
          for (int k = 0; k < keyCount; k++) {
            Object a = l.get(k);
            Object b = r.get(k);
            if (a == null || b == null ? !(nullsEqual[k] && a == b) : !a.equals(b)) {
              return false;
            }
          }
          Long a = (Long) l.get(keyCount);
          Long b = (Long) r.get(keyCount);
          return !withResidual || (a != null && b != null && a < b);
        };
    return new Inputs(
        schema,
        schema,
        data.partitions(schema, 1 + data.random().nextInt(3), 12, 5),
        data.partitions(schema, 1 + data.random().nextInt(3), 12, 5),
        on,
        residual,
        match);
  }

  private static PhysicalPlan divided(PhysicalPlan input, List<PhysicalExpr> keys) {
    return new RepartitionExec(input, new Partitioning.Hash(keys, 3), false);
  }

  @Test
  void hashJoinsOfEveryTypeGiveTheRowsOfNestedLoops() {
    for (long seed = 0; seed < 150; seed++) {
      Inputs in = random(seed);
      PhysicalPlan left = new TestSource(in.leftSchema(), in.left());
      PhysicalPlan right = new TestSource(in.rightSchema(), in.right());
      for (JoinType type : JoinType.values()) {
        List<String> expected =
            expected(
                RandomData.rows(in.left()),
                RandomData.rows(in.right()),
                in.leftSchema().size(),
                in.rightSchema().size(),
                type,
                in.match());
        HashJoinExec collected =
            new HashJoinExec(
                new CoalescePartitionsExec(left),
                right,
                in.on(),
                in.residual(),
                type,
                JoinMode.COLLECT_LEFT);
        HashJoinExec partitioned =
            new HashJoinExec(
                divided(left, in.on().stream().map(JoinKey::left).toList()),
                divided(right, in.on().stream().map(JoinKey::right).toList()),
                in.on(),
                in.residual(),
                type,
                JoinMode.PARTITIONED);
        HashJoinExec other =
            new HashJoinExec(
                left,
                new CoalescePartitionsExec(right),
                in.on(),
                in.residual(),
                type,
                JoinMode.COLLECT_LEFT);
        for (Map.Entry<String, Settings> configuration : Harness.CONFIGURATIONS.entrySet()) {
          for (PhysicalPlan plan : List.of(collected, partitioned, partitioned.swapped())) {
            assertThat(Harness.rows(plan, configuration.getValue()))
                .as("seed %d, %s, %s", seed, configuration.getKey(), plan)
                .containsExactlyInAnyOrderElementsOf(expected);
          }
          if (in.left().size() == 1) {
            assertThat(Harness.rows(other.swapped(), configuration.getValue()))
                .as("seed %d, swapped, %s, %s", seed, configuration.getKey(), other)
                .containsExactlyInAnyOrderElementsOf(expected);
          }
        }
      }
    }
  }

  @Test
  void nestedLoopJoinsOfEveryTypeGiveTheRowsOfNestedLoops() {
    for (long seed = 0; seed < 100; seed++) {
      Inputs in = random(seed);
      int value = in.leftSchema().size() - 1;
      for (JoinType type : JoinType.values()) {
        List<String> expected =
            expected(
                RandomData.rows(in.left()),
                RandomData.rows(in.right()),
                in.leftSchema().size(),
                in.rightSchema().size(),
                type,
                (l, r) -> {
                  Long a = (Long) l.get(value);
                  Long b = (Long) r.get(value);
                  return in.residual().isEmpty() || (a != null && b != null && a < b);
                });
        NestedLoopJoinExec plan =
            new NestedLoopJoinExec(
                new CoalescePartitionsExec(new TestSource(in.leftSchema(), in.left())),
                new TestSource(in.rightSchema(), in.right()),
                in.residual(),
                type);
        for (Settings settings : Harness.CONFIGURATIONS.values()) {
          assertThat(Harness.rows(plan, settings))
              .as("seed %d, %s", seed, plan)
              .containsExactlyInAnyOrderElementsOf(expected);
        }
      }
    }
  }

  @Test
  void theProbeSidesOrderSurvivesAndIsDeclared() {
    for (long seed = 0; seed < 60; seed++) {
      Inputs in = random(seed);
      LexOrdering ordering =
          LexOrdering.of(new SortExpr(ColumnExpr.of(in.rightSchema(), 0), SortOptions.DESC));
      PhysicalPlan sorted =
          new SortExec(
              new TestSource(in.rightSchema(), in.right()), ordering, OptionalLong.empty(), true);
      for (JoinType type :
          List.of(JoinType.INNER, JoinType.RIGHT, JoinType.RIGHT_SEMI, JoinType.RIGHT_ANTI)) {
        HashJoinExec plan =
            new HashJoinExec(
                new CoalescePartitionsExec(new TestSource(in.leftSchema(), in.left())),
                sorted,
                in.on(),
                in.residual(),
                type,
                JoinMode.COLLECT_LEFT);
        assertThat(plan.maintainsInputOrder()).containsExactly(false, true);
        assertThat(plan.properties().outputOrdering()).isPresent();
        for (Settings settings : Harness.CONFIGURATIONS.values()) {
          Harness.rows(plan, settings);
        }
      }
    }
  }
}
