package dev.varve.engine.properties;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.expr.ArithmeticExpr;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NegateExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.ArithmeticOp;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A small random table in partitions, and the facts that happen to be true of it: whatever is
 * concluded from those facts must be true of the rows as well.
 */
final class RandomFacts {
  static final EvalContext EVAL = new EvalContext(0, ZoneOffset.UTC, "u", "c", "s");
  private static final @Nullable Integer[] INTEGERS = {null, -1, 0, 1, 2};
  private static final @Nullable Double[] DOUBLES = {null, -0.0, 0.0, 1.0, Double.NaN};

  final Random random;
  final Schema schema;
  final List<Batch> partitions;

  private RandomFacts(Random random, Schema schema, List<Batch> partitions) {
    this.random = random;
    this.schema = schema;
    this.partitions = partitions;
  }

  static RandomFacts of(long seed) {
    Random random = new Random(seed);
    List<Field> fields = new ArrayList<>();
    boolean[] nullable = new boolean[5];
    for (int i = 0; i < 5; i++) {
      nullable[i] = random.nextBoolean();
      fields.add(
          Field.of(
              String.valueOf((char) ('a' + i)),
              i == 4 ? DataType.DOUBLE : DataType.INTEGER,
              nullable[i]));
    }
    Schema schema = new Schema(fields);
    int[] shape = random.ints(5, 0, 6).toArray();
    @Nullable Object[] constants = new Object[5];
    for (int i = 0; i < 5; i++) {
      constants[i] = value(random, i, nullable[i]);
    }
    boolean samePlan = random.nextBoolean();
    List<Batch> partitions = new ArrayList<>();
    for (int p = 0; p < 2; p++) {
      if (!samePlan) {
        for (int i = 0; i < 5; i++) {
          constants[i] = value(random, i, nullable[i]);
        }
      }
      List<@Nullable Object[]> rows = new ArrayList<>();
      int count = random.nextInt(9);
      for (int r = 0; r < count; r++) {
        @Nullable Object[] row = new Object[5];
        for (int i = 0; i < 5; i++) {
          row[i] =
              switch (shape[i]) {
                case 0 -> constants[i];
                case 1 ->
                    i > 0 && i < 4 && (nullable[i] || row[i - 1] != null)
                        ? row[i - 1]
                        : value(random, i, nullable[i]);
                default -> value(random, i, nullable[i]);
              };
        }
        rows.add(row);
      }
      partitions.add(batch(schema, rows));
    }
    RandomFacts facts = new RandomFacts(random, schema, partitions);
    LexOrdering order = facts.ordering();
    partitions.replaceAll(batch -> sorted(batch, order));
    return facts;
  }

  private static @Nullable Object value(Random random, int column, boolean nullable) {
    while (true) {
      @Nullable Object[] values = column == 4 ? DOUBLES : INTEGERS;
      Object value = values[random.nextInt(values.length)];
      if (value != null || nullable) {
        return value;
      }
    }
  }

  static Batch batch(Schema schema, List<@Nullable Object[]> rows) {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      ColumnBuilder builder = ColumnBuilder.of(schema.type(i), rows.size());
      for (@Nullable Object[] row : rows) {
        builder.append(row[i]);
      }
      columns.add(builder.build());
    }
    return new Batch(schema, columns, rows.size());
  }

  static Batch sorted(Batch batch, LexOrdering ordering) {
    Integer[] rows = new Integer[batch.rowCount()];
    Arrays.setAll(rows, i -> i);
    Arrays.sort(rows, comparator(batch, ordering));
    return batch.take(Arrays.stream(rows).mapToInt(i -> i).toArray(), rows.length);
  }

  static Comparator<Integer> comparator(Batch batch, LexOrdering ordering) {
    List<Column> keys =
        ordering.keys().stream().map(key -> key.expr().evaluate(batch, EVAL)).toList();
    return (left, right) -> {
      for (int i = 0; i < keys.size(); i++) {
        int compared =
            compare(
                keys.get(i).value(left),
                keys.get(i).value(right),
                ordering.keys().get(i).options());
        if (compared != 0) {
          return compared;
        }
      }
      return 0;
    };
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static int compare(@Nullable Object left, @Nullable Object right, SortOptions options) {
    if (left == null || right == null) {
      return left == right ? 0 : (left == null) == options.nullsFirst() ? -1 : 1;
    }
    int compared = ((Comparable) key(left)).compareTo(key(right));
    return options.descending() ? -compared : compared;
  }

  /** In the engine's one key equality: the two zeros are equal, NaN is the greatest. */
  static Object key(Object value) {
    return value instanceof Double number && number == 0.0 ? 0.0 : value;
  }

  static boolean isOrdered(Batch batch, LexOrdering ordering) {
    Comparator<Integer> comparator = comparator(batch, ordering);
    for (int i = 1; i < batch.rowCount(); i++) {
      if (comparator.compare(i - 1, i) > 0) {
        return false;
      }
    }
    return true;
  }

  static boolean same(@Nullable Object left, @Nullable Object right) {
    return (left == null || right == null) ? left == right : Objects.equals(key(left), key(right));
  }

  /** A column, or something computed of one or two. */
  PhysicalExpr expression() {
    return expression(schema);
  }

  PhysicalExpr expression(Schema over) {
    ColumnExpr column = ColumnExpr.of(over, random.nextInt(over.size()));
    if (column.type().equals(DataType.DOUBLE)) {
      return switch (random.nextInt(4)) {
        case 0 -> new NegateExpr(column);
        case 1 -> new CastExpr(column, DataType.VARCHAR, false);
        case 2 ->
            new ArithmeticExpr(
                ArithmeticOp.ADD, column, new LiteralExpr(1.0, DataType.DOUBLE), DataType.DOUBLE);
        default -> column;
      };
    }
    if (!column.type().equals(DataType.INTEGER)) {
      return column;
    }
    return switch (random.nextInt(8)) {
      case 0 -> new NegateExpr(column);
      case 1 -> new CastExpr(column, DataType.BIGINT, false);
      case 2 -> arithmetic(ArithmeticOp.DIVIDE, column, literal(2));
      case 3 -> arithmetic(ArithmeticOp.MODULO, column, literal(2));
      case 4 -> arithmetic(ArithmeticOp.ADD, column, literal(3));
      case 5 -> {
        ColumnExpr other = ColumnExpr.of(over, random.nextInt(over.size()));
        yield other.type().equals(DataType.INTEGER)
            ? arithmetic(
                random.nextBoolean() ? ArithmeticOp.ADD : ArithmeticOp.SUBTRACT, column, other)
            : column;
      }
      default -> column;
    };
  }

  static PhysicalExpr arithmetic(ArithmeticOp op, PhysicalExpr left, PhysicalExpr right) {
    return new ArithmeticExpr(op, left, right, DataType.INTEGER);
  }

  static LiteralExpr literal(int value) {
    return new LiteralExpr(value, DataType.INTEGER);
  }

  LexOrdering ordering() {
    return ordering(schema);
  }

  LexOrdering ordering(Schema over) {
    List<SortExpr> keys = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      keys.add(
          new SortExpr(
              expression(over), new SortOptions(random.nextBoolean(), random.nextBoolean())));
    }
    return new LexOrdering(keys);
  }

  boolean isOrdered(LexOrdering ordering) {
    return partitions.stream().allMatch(batch -> isOrdered(batch, ordering));
  }

  boolean areSame(PhysicalExpr left, PhysicalExpr right) {
    return partitions.stream()
        .allMatch(
            batch -> {
              Column l = left.evaluate(batch, EVAL);
              Column r = right.evaluate(batch, EVAL);
              for (int i = 0; i < batch.rowCount(); i++) {
                if (!same(l.value(i), r.value(i))) {
                  return false;
                }
              }
              return true;
            });
  }

  static boolean isConstant(List<Batch> batches, PhysicalExpr expr) {
    boolean first = true;
    Object value = null;
    for (Batch batch : batches) {
      Column column = expr.evaluate(batch, EVAL);
      for (int i = 0; i < batch.rowCount(); i++) {
        if (!first && !same(value, column.value(i))) {
          return false;
        }
        value = column.value(i);
        first = false;
      }
    }
    return true;
  }

  boolean isConstantWithin(PhysicalExpr expr) {
    return partitions.stream().allMatch(batch -> isConstant(List.of(batch), expr));
  }

  boolean isConstantAcross(PhysicalExpr expr) {
    return isConstant(partitions, expr);
  }

  boolean hasNull(PhysicalExpr expr) {
    return partitions.stream().anyMatch(batch -> expr.evaluate(batch, EVAL).nullCount() > 0);
  }

  /** Facts that were tried at random and found true. */
  EquivalenceProperties facts() {
    EquivalenceProperties facts = EquivalenceProperties.of(schema);
    for (int i = 0; i < 24; i++) {
      PhysicalExpr expr = expression();
      PhysicalExpr other = expression();
      LexOrdering ordering = ordering();
      facts =
          switch (random.nextInt(5)) {
            case 0 -> areSame(expr, other) ? facts.withSame(expr, other) : facts;
            case 1 -> isConstantAcross(expr) ? facts.withConstant(expr, true, null) : facts;
            case 2 -> isConstantWithin(expr) ? facts.withConstant(expr, false, null) : facts;
            case 3 -> hasNull(expr) ? facts : facts.withNotNull(expr);
            default -> isOrdered(ordering) ? facts.withOrdering(ordering) : facts;
          };
    }
    return facts;
  }

  RandomFacts over(Schema other, List<Batch> batches) {
    return new RandomFacts(random, other, batches);
  }
}
