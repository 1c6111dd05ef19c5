package dev.varve.engine.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.AndExpr;
import dev.varve.engine.expr.ComparisonExpr;
import dev.varve.engine.expr.IsNullExpr;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever the properties conclude from true facts is true of the rows. */
class EquivalencePropertiesSoundnessTest {

  @Property(tries = 4000)
  void everyClaimHoldsOnTheData(@ForAll long seed) {
    RandomFacts table = RandomFacts.of(seed);
    check(table, table.facts());
  }

  @Property(tries = 4000)
  void everyClaimHoldsAfterAProjection(@ForAll long seed) {
    RandomFacts table = RandomFacts.of(seed);
    EquivalenceProperties facts = table.facts();
    List<NamedExpr> projection = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < 1 + table.random.nextInt(4); i++) {
      PhysicalExpr expr =
          table.random.nextInt(8) == 0 ? RandomFacts.literal(7) : table.expression();
      projection.add(new NamedExpr(expr, "p" + i));
      fields.add(Field.of("p" + i, expr.type(), expr.nullable()));
    }
    Schema output = new Schema(fields);
    List<Batch> batches =
        table.partitions.stream()
            .map(
                batch ->
                    new Batch(
                        output,
                        projection.stream()
                            .map(e -> e.expr().evaluate(batch, RandomFacts.EVAL).flat())
                            .toList(),
                        batch.rowCount()))
            .toList();
    check(table.over(output, batches), facts.project(projection, output));
  }

  @Property(tries = 4000)
  void everyClaimHoldsAfterAFilter(@ForAll long seed) {
    RandomFacts table = RandomFacts.of(seed);
    EquivalenceProperties facts = table.facts();
    PhysicalExpr predicate = new AndExpr(List.of(predicate(table), predicate(table)));
    check(
        table.over(table.schema, table.partitions.stream().map(b -> kept(b, predicate)).toList()),
        facts.withFilter(predicate));
  }

  @Property(tries = 4000)
  void everyClaimHoldsAfterAUnion(@ForAll long seed) {
    RandomFacts left = RandomFacts.of(seed);
    RandomFacts right = RandomFacts.of(seed ^ 0x5DEECE66DL);
    Schema output = left.schema.nullable();
    List<Batch> batches = new ArrayList<>();
    left.partitions.forEach(b -> batches.add(b.withSchema(output)));
    right.partitions.forEach(b -> batches.add(b.withSchema(output)));
    check(
        left.over(output, batches),
        EquivalenceProperties.ofUnion(List.of(left.facts(), right.facts()), output));
  }

  @Property(tries = 2000)
  void everyClaimHoldsAfterAJoin(@ForAll long seed) {
    RandomFacts left = RandomFacts.of(seed);
    RandomFacts right = RandomFacts.of(seed ^ 0x5DEECE66DL);
    boolean leftMissing = left.random.nextBoolean();
    boolean rightMissing = left.random.nextBoolean();
    Schema output =
        (leftMissing ? left.schema.nullable() : left.schema)
            .concat(rightMissing ? right.schema.nullable() : right.schema);
    List<Batch> batches = new ArrayList<>();
    for (int p = 0; p < 2; p++) {
      Batch l = left.partitions.get(p);
      Batch r = right.partitions.get(p);
      List<Integer> leftRows = new ArrayList<>();
      List<Integer> rightRows = new ArrayList<>();
      for (int j = 0; j < r.rowCount(); j++) {
        boolean matched = false;
        for (int i = 0; i < l.rowCount(); i++) {
          if (left.random.nextInt(3) == 0) {
            matched = true;
            leftRows.add(i);
            rightRows.add(j);
          }
        }
        if (!matched && leftMissing) {
          leftRows.add(-1);
          rightRows.add(j);
        }
      }
      if (rightMissing && l.rowCount() > 0) {
        leftRows.add(left.random.nextInt(l.rowCount()));
        rightRows.add(-1);
      }
      List<Column> columns = new ArrayList<>(taken(l, leftRows));
      columns.addAll(taken(r, rightRows));
      batches.add(new Batch(output, columns, leftRows.size()));
    }
    check(
        left.over(output, batches),
        EquivalenceProperties.ofJoin(
            left.facts(), leftMissing, false, right.facts(), rightMissing, !rightMissing, output));
  }

  /** The seed of a fact that was found: orders are concluded that nobody declared. */
  @Property(tries = 1)
  void claimsAreMadeAtAll() {
    int declared = 0;
    int concluded = 0;
    for (long seed = 0; seed < 2000; seed++) {
      RandomFacts table = RandomFacts.of(seed);
      EquivalenceProperties facts = table.facts();
      for (int i = 0; i < 10; i++) {
        LexOrdering required = table.ordering();
        if (facts.satisfies(required)) {
          concluded++;
          declared += facts.orderings().contains(required) ? 1 : 0;
        }
      }
    }
    assertThat(concluded).isGreaterThan(200);
    assertThat(concluded).isGreaterThan(5 * declared);
  }

  private static List<Column> taken(Batch batch, List<Integer> rows) {
    int[] indices = rows.stream().mapToInt(i -> i).toArray();
    return batch.take(indices, indices.length).columns();
  }

  private static Batch kept(Batch batch, PhysicalExpr predicate) {
    Column result = predicate.evaluate(batch, RandomFacts.EVAL);
    int[] rows = new int[batch.rowCount()];
    int count = 0;
    for (int i = 0; i < batch.rowCount(); i++) {
      if (Boolean.TRUE.equals(result.value(i))) {
        rows[count++] = i;
      }
    }
    return batch.take(rows, count);
  }

  private static PhysicalExpr predicate(RandomFacts table) {
    PhysicalExpr expr = table.expression();
    PhysicalExpr other = table.expression();
    List<ComparisonOp> all = List.of(ComparisonOp.values());
    ComparisonOp op = all.get(table.random.nextInt(all.size()));
    if (table.random.nextInt(5) == 0) {
      return new IsNullExpr(expr, table.random.nextBoolean());
    }
    if (expr.type().equals(other.type()) && table.random.nextBoolean()) {
      return new ComparisonExpr(op, expr, other);
    }
    LiteralExpr literal =
        switch (expr.type().kind()) {
          case INTEGER -> RandomFacts.literal(table.random.nextInt(3));
          case BIGINT -> new LiteralExpr(1L, DataType.BIGINT);
          case DOUBLE -> new LiteralExpr(0.0, DataType.DOUBLE);
          default -> new LiteralExpr("1", DataType.VARCHAR);
        };
    return new ComparisonExpr(op, expr, literal);
  }

  private static void check(RandomFacts table, EquivalenceProperties facts) {
    for (int i = 0; i < 20; i++) {
      LexOrdering required = table.ordering(table.schema);
      LexOrdering satisfied = prefix(required, facts.satisfiedPrefix(required));
      if (satisfied != null) {
        assertThat(table.isOrdered(satisfied))
            .as("%s from %s of %s", satisfied, facts, table.partitions)
            .isTrue();
      }
      PhysicalExpr expr = table.expression(table.schema);
      PhysicalExpr other = table.expression(table.schema);
      if (facts.isConstant(expr)) {
        assertThat(table.isConstantWithin(expr))
            .as("%s constant from %s of %s", expr, facts, table.partitions)
            .isTrue();
      }
      if (facts.isConstantAcrossPartitions(expr)) {
        assertThat(table.isConstantAcross(expr))
            .as("%s constant across from %s of %s", expr, facts, table.partitions)
            .isTrue();
      }
      facts
          .constantValue(expr)
          .ifPresent(
              value ->
                  assertThat(allAre(table, expr, value))
                      .as("%s = %s from %s of %s", expr, value, facts, table.partitions)
                      .isTrue());
      if (expr.type().equals(other.type()) && facts.areSame(expr, other)) {
        assertThat(table.areSame(expr, other))
            .as("%s same as %s from %s of %s", expr, other, facts, table.partitions)
            .isTrue();
      }
      if (!facts.canBeNull(expr)) {
        assertThat(table.hasNull(expr))
            .as("%s not null from %s of %s", expr, facts, table.partitions)
            .isFalse();
      }
      checkPartitioning(table, facts);
    }
  }

  /** Rows with equal required keys have equal keys of a partitioning that satisfies them. */
  private static void checkPartitioning(RandomFacts table, EquivalenceProperties facts) {
    List<PhysicalExpr> by = exprs(table);
    List<PhysicalExpr> required = exprs(table);
    if (new Partitioning.Hash(by, 2).satisfaction(new Distribution.KeyPartitioned(required), facts)
        == PartitioningSatisfaction.NOT_SATISFIED) {
      return;
    }
    Map<List<Object>, List<Object>> seen = new HashMap<>();
    for (Batch batch : table.partitions) {
      for (int row = 0; row < batch.rowCount(); row++) {
        List<Object> requiredKey = key(batch, row, required);
        List<Object> actualKey = key(batch, row, by);
        List<Object> known = seen.putIfAbsent(requiredKey, actualKey);
        assertThat(known == null || known.equals(actualKey))
            .as("hash of %s for %s from %s of %s", by, required, facts, table.partitions)
            .isTrue();
      }
    }
  }

  private static List<Object> key(Batch batch, int row, List<PhysicalExpr> exprs) {
    List<Object> key = new ArrayList<>();
    for (PhysicalExpr expr : exprs) {
      Object value = expr.evaluate(batch, RandomFacts.EVAL).value(row);
      key.add(value == null ? "null" : RandomFacts.key(value));
    }
    return key;
  }

  private static List<PhysicalExpr> exprs(RandomFacts table) {
    List<PhysicalExpr> exprs = new ArrayList<>();
    for (int i = 0; i < 1 + table.random.nextInt(2); i++) {
      exprs.add(table.expression(table.schema));
    }
    return exprs;
  }

  private static boolean allAre(RandomFacts table, PhysicalExpr expr, Constant.Value value) {
    return table.partitions.stream()
        .allMatch(
            batch -> {
              Column column = expr.evaluate(batch, RandomFacts.EVAL);
              for (int i = 0; i < batch.rowCount(); i++) {
                if (!new Constant.Value(column.value(i)).equals(value)) {
                  return false;
                }
              }
              return true;
            });
  }

  private static @org.jspecify.annotations.Nullable LexOrdering prefix(
      LexOrdering ordering, int length) {
    return length == 0 ? null : new LexOrdering(ordering.keys().subList(0, length));
  }
}
