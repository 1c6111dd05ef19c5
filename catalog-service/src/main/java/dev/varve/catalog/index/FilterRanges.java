package dev.varve.catalog.index;

import dev.varve.layout.ColumnRange;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import org.apache.iceberg.expressions.Bound;
import org.apache.iceberg.expressions.BoundReference;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.expressions.ExpressionVisitors.BoundExpressionVisitor;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.Type;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of columns that a filter implies. A range leaves out no row that the filter may keep
 * in any engine: ends are closed, both zeros are one value, NaN counts as the greatest number. A
 * condition that has no range adds none.
 */
final class FilterRanges extends BoundExpressionVisitor<Optional<Map<Integer, ColumnRange>>> {
  private static final Map<Integer, ColumnRange> ANY = Map.of();
  private static final int GREATEST_BYTE = 0xFF;

  private final Map<Integer, Type> types;

  private FilterRanges(Map<Integer, Type> types) {
    this.types = types;
  }

  /**
   * @param types of the columns as the index knows them: a column that once had a type of another
   *     meaning gives no range
   * @param filter bound, without NOT
   * @return empty when the filter keeps no row
   */
  static Optional<List<ColumnRange>> of(Map<Integer, Type> types, Expression filter) {
    return ExpressionVisitors.visit(filter, new FilterRanges(types))
        .map(ranges -> List.copyOf(ranges.values()));
  }

  @Override
  public Optional<Map<Integer, ColumnRange>> alwaysTrue() {
    return Optional.of(ANY);
  }

  @Override
  public Optional<Map<Integer, ColumnRange>> alwaysFalse() {
    return Optional.empty();
  }

  @Override
  public Optional<Map<Integer, ColumnRange>> not(Optional<Map<Integer, ColumnRange>> result) {
    return Optional.of(ANY);
  }

  /** Both hold: of two ranges of a column the narrower ends, and the values of one of them. */
  @Override
  public Optional<Map<Integer, ColumnRange>> and(
      Optional<Map<Integer, ColumnRange>> left, Optional<Map<Integer, ColumnRange>> right) {
    if (left.isEmpty() || right.isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, ColumnRange> both = new HashMap<>(left.get());
    right.get().forEach((field, range) -> both.merge(field, range, FilterRanges::intersection));
    return Optional.of(both);
  }

  /** One of them holds: only a column that both restrict is restricted, to what encloses both. */
  @Override
  public Optional<Map<Integer, ColumnRange>> or(
      Optional<Map<Integer, ColumnRange>> left, Optional<Map<Integer, ColumnRange>> right) {
    if (left.isEmpty() || right.isEmpty()) {
      return left.isEmpty() ? right : left;
    }
    Map<Integer, ColumnRange> either = new HashMap<>();
    left.get()
        .forEach(
            (field, range) -> {
              ColumnRange other = right.get().get(field);
              if (other != null) {
                either.put(field, hull(range, other));
              }
            });
    return Optional.of(either);
  }

  private static ColumnRange intersection(ColumnRange a, ColumnRange b) {
    return new ColumnRange(
        a.fieldId(),
        end(a.lower(), b.lower(), (x, y) -> x.compareTo(y) >= 0 ? x : y),
        end(a.upper(), b.upper(), (x, y) -> x.compareTo(y) <= 0 ? x : y),
        a.nullAllowed() && b.nullAllowed(),
        a.points().isEmpty() ? b.points() : a.points());
  }

  private static Optional<EncodedKey> end(
      Optional<EncodedKey> a, Optional<EncodedKey> b, BinaryOperator<EncodedKey> narrower) {
    return a.isEmpty() ? b : b.isEmpty() ? a : Optional.of(narrower.apply(a.get(), b.get()));
  }

  private static ColumnRange hull(ColumnRange a, ColumnRange b) {
    boolean nullAllowed = a.nullAllowed() || b.nullAllowed();
    if (a.points().isPresent() && b.points().isPresent()) {
      TreeSet<EncodedKey> either = new TreeSet<>(a.points().get());
      either.addAll(b.points().get());
      return ColumnRange.of(a.fieldId(), List.copyOf(either), nullAllowed);
    }
    boolean belowOpen = a.lower().isEmpty() || b.lower().isEmpty();
    boolean aboveOpen = a.upper().isEmpty() || b.upper().isEmpty();
    return new ColumnRange(
        a.fieldId(),
        belowOpen ? Optional.empty() : least(a.lower().get(), b.lower().get()),
        aboveOpen ? Optional.empty() : greatest(a.upper().get(), b.upper().get()),
        nullAllowed);
  }

  private static Optional<EncodedKey> least(EncodedKey a, EncodedKey b) {
    return Optional.of(a.compareTo(b) <= 0 ? a : b);
  }

  private static Optional<EncodedKey> greatest(EncodedKey a, EncodedKey b) {
    return Optional.of(a.compareTo(b) >= 0 ? a : b);
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> isNull(BoundReference<T> ref) {
    return Optional.of(ANY);
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> notNull(BoundReference<T> ref) {
    return range(ref, Optional.empty(), Optional.empty());
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> isNaN(BoundReference<T> ref) {
    return range(ref, Optional.empty(), Optional.empty());
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> notNaN(BoundReference<T> ref) {
    return Optional.of(ANY);
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> lt(BoundReference<T> ref, Literal<T> value) {
    return range(ref, Optional.empty(), key(ref, value.value()));
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> ltEq(BoundReference<T> ref, Literal<T> value) {
    return range(ref, Optional.empty(), key(ref, value.value()));
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> gt(BoundReference<T> ref, Literal<T> value) {
    return range(ref, key(ref, value.value()), Optional.empty());
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> gtEq(BoundReference<T> ref, Literal<T> value) {
    return range(ref, key(ref, value.value()), Optional.empty());
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> eq(BoundReference<T> ref, Literal<T> value) {
    Optional<EncodedKey> key = key(ref, value.value());
    return range(ref, key, key);
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> notEq(BoundReference<T> ref, Literal<T> value) {
    return Optional.of(ANY);
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> in(BoundReference<T> ref, Set<T> values) {
    TreeSet<EncodedKey> keys = new TreeSet<>();
    for (T value : values) {
      Optional<EncodedKey> key = key(ref, value);
      if (key.isEmpty()) {
        return Optional.of(ANY);
      }
      keys.add(key.get());
    }
    return Optional.of(
        Map.of(ref.fieldId(), ColumnRange.of(ref.fieldId(), List.copyOf(keys), false)));
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> notIn(BoundReference<T> ref, Set<T> values) {
    return Optional.of(ANY);
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> startsWith(
      BoundReference<T> ref, Literal<T> value) {
    return range(ref, key(ref, value.value()), key(ref, value.value()).flatMap(this::lastWith));
  }

  @Override
  public <T> Optional<Map<Integer, ColumnRange>> notStartsWith(
      BoundReference<T> ref, Literal<T> value) {
    return Optional.of(ANY);
  }

  /** A condition on a transformed or extracted value says nothing simple of the column. */
  @Override
  public <T> Optional<Map<Integer, ColumnRange>> handleNonReference(Bound<T> term) {
    return Optional.of(ANY);
  }

  /** A key that no string with the prefix exceeds: FF is in no UTF-8. */
  private Optional<EncodedKey> lastWith(EncodedKey prefix) {
    byte[] bytes = new byte[prefix.length() + 1];
    System.arraycopy(prefix.toByteArray(), 0, bytes, 0, prefix.length());
    bytes[prefix.length()] = (byte) GREATEST_BYTE;
    return Optional.of(EncodedKey.of(bytes));
  }

  /** A null is in no range of values. */
  private Optional<Map<Integer, ColumnRange>> range(
      BoundReference<?> ref, Optional<EncodedKey> lower, Optional<EncodedKey> upper) {
    return keyType(ref).isEmpty()
        ? Optional.of(ANY)
        : Optional.of(Map.of(ref.fieldId(), new ColumnRange(ref.fieldId(), lower, upper, false)));
  }

  private Optional<EncodedKey> key(BoundReference<?> ref, @Nullable Object value) {
    return value == null
        ? Optional.empty()
        : keyType(ref)
            .flatMap(
                type -> stored(type, value).map(known -> KeyEncoding.encodeValue(type, known)));
  }

  /** An Iceberg value as the encoding takes it; NaN is no end of a range. */
  private static Optional<Object> stored(KeyType type, Object value) {
    return Optional.ofNullable(
        switch (type) {
          case BOOLEAN, UUID -> value;
          case INTEGRAL -> ((Number) value).longValue();
          case FLOATING -> {
            double number = ((Number) value).doubleValue();
            yield Double.isNaN(number) ? null : number;
          }
          case DECIMAL -> ((BigDecimal) value).unscaledValue();
          case STRING -> value.toString();
          case BINARY -> {
            ByteBuffer bytes = ((ByteBuffer) value).duplicate();
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            yield copy;
          }
        });
  }

  private Optional<KeyType> keyType(BoundReference<?> ref) {
    Type known = types.get(ref.fieldId());
    return known != null && sameMeaning(known, ref.type())
        ? IcebergKeys.keyType(known)
        : Optional.empty();
  }

  private static boolean sameMeaning(Type a, Type b) {
    return switch (a.typeId()) {
      case INTEGER, LONG -> b.typeId() == Type.TypeID.INTEGER || b.typeId() == Type.TypeID.LONG;
      case FLOAT, DOUBLE -> b.typeId() == Type.TypeID.FLOAT || b.typeId() == Type.TypeID.DOUBLE;
      default -> a.typeId() == b.typeId();
    };
  }
}
