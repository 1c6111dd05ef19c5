package dev.varve.engine.scan;

import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.kernel.ComparisonOp;
import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.key.EncodedKey;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A filter as a question to statistics: which of TRUE, FALSE and NULL it can be for the rows of a
 * container. The answer may hold too much, never too little. So NOT, three-valued logic and facts
 * that are missing need no care of their own: NOT swaps TRUE and FALSE, and what is not known makes
 * everything possible.
 */
sealed interface Condition {
  int TRUE = 1;
  int FALSE = 2;
  int NULL = 4;
  int ANY = TRUE | FALSE | NULL;

  /** The truth values that are possible, as a set of bits. */
  int possible(ContainerFacts facts);

  void collectColumns(BitSet columns);

  /** Whether a bloom filter can say more than bounds do. */
  default boolean probes() {
    return false;
  }

  static int not(int possible) {
    return (possible & NULL) | (possible & TRUE) << 1 | (possible & FALSE) >> 1;
  }

  /** A column, perhaps under casts that keep order. */
  record Operand(int column, boolean floating, BoundMapping mapping) {}

  /** What bounds say of the non-null values of an operand; a null end is open. */
  record Values(
      boolean anyNull, boolean anyValue, @Nullable EncodedKey lower, @Nullable EncodedKey upper) {

    static Values of(Operand operand, ContainerFacts container) {
      ColumnFacts facts = container.column(operand.column);
      long nulls = facts.nullCount().orElse(-1);
      boolean anyNull = nulls != 0;
      boolean anyValue = !container.allNull(operand.column);
      EncodedKey lower = key(facts.lower(), operand);
      EncodedKey upper = key(facts.upper(), operand);
      if (operand.floating) {
        // Bounds leave NaN out, and NaN is above every number.
        if (facts.nanCount().orElse(-1) != 0) {
          upper = null;
        }
      }
      return new Values(anyNull, anyValue, lower, upper);
    }

    private static @Nullable EncodedKey key(Bound bound, Operand operand) {
      EncodedKey key =
          switch (bound) {
            case Bound.Unknown _ -> null;
            case Bound.Exact(EncodedKey k) -> k;
            case Bound.Inexact(EncodedKey k) -> k;
          };
      if (key == null || (operand.floating && key.equals(ColumnKeys.NAN))) {
        return null;
      }
      return operand.mapping.apply(key);
    }

    /** The outcome, given which of TRUE and FALSE a value can give. */
    int outcome(boolean anyTrue, boolean anyFalse) {
      return (anyNull ? NULL : 0)
          | (anyValue && anyTrue ? TRUE : 0)
          | (anyValue && anyFalse ? FALSE : 0);
    }

    boolean mayBe(EncodedKey key) {
      return (lower == null || lower.compareTo(key) <= 0)
          && (upper == null || upper.compareTo(key) >= 0);
    }

    boolean isOnly(EncodedKey key) {
      return lower != null && upper != null && lower.equals(key) && upper.equals(key);
    }

    boolean mayBeBelow(EncodedKey key) {
      return lower == null || lower.compareTo(key) < 0;
    }

    boolean mayBeAtMost(EncodedKey key) {
      return lower == null || lower.compareTo(key) <= 0;
    }

    boolean mayBeAbove(EncodedKey key) {
      return upper == null || upper.compareTo(key) > 0;
    }

    boolean mayBeAtLeast(EncodedKey key) {
      return upper == null || upper.compareTo(key) >= 0;
    }
  }

  /**
   * {@code operand op key}; {@code probe} is the value in the column's own type, for bloom filters.
   */
  record Compare(Operand operand, ComparisonOp op, EncodedKey key, @Nullable LiteralExpr probe)
      implements Condition {
    @Override
    public int possible(ContainerFacts facts) {
      Values values = Values.of(operand, facts);
      return switch (op) {
        case EQ -> equal(values, facts);
        case NE -> not(equal(values, facts));
        case LT -> values.outcome(values.mayBeBelow(key), values.mayBeAtLeast(key));
        case LE -> values.outcome(values.mayBeAtMost(key), values.mayBeAbove(key));
        case GT -> values.outcome(values.mayBeAbove(key), values.mayBeAtMost(key));
        case GE -> values.outcome(values.mayBeAtLeast(key), values.mayBeBelow(key));
        case IS_NOT_DISTINCT -> nullAsFalse(equal(values, facts));
        case IS_DISTINCT -> not(nullAsFalse(equal(values, facts)));
      };
    }

    private int equal(Values values, ContainerFacts facts) {
      boolean anyTrue =
          values.mayBe(key) && (probe == null || facts.mayContain(operand.column, probe));
      return values.outcome(anyTrue, !values.isOnly(key));
    }

    private static int nullAsFalse(int possible) {
      return (possible & NULL) != 0 ? (possible & TRUE) | FALSE : possible;
    }

    @Override
    public void collectColumns(BitSet columns) {
      columns.set(operand.column);
    }

    @Override
    public boolean probes() {
      return probe != null;
    }
  }

  /**
   * {@code operand IN (keys)}, the keys ascending; {@code values} is empty or one for each key, for
   * bloom filters.
   */
  record In(Operand operand, List<EncodedKey> keys, List<LiteralExpr> values, boolean hasNull)
      implements Condition {
    public In {
      keys = List.copyOf(keys);
      values = List.copyOf(values);
    }

    @Override
    public int possible(ContainerFacts facts) {
      Values bounds = Values.of(operand, facts);
      boolean anyTrue = false;
      boolean anyFalse = true;
      for (int i = firstAtLeast(bounds.lower); i < keys.size() && !anyTrue; i++) {
        EncodedKey key = keys.get(i);
        if (!bounds.mayBeAtLeast(key)) {
          break;
        }
        anyTrue = values.isEmpty() || facts.mayContain(operand.column, values.get(i));
        anyFalse = anyFalse && !bounds.isOnly(key);
      }
      int outcome = bounds.outcome(anyTrue, anyFalse);
      // With a null in the list, a value that is not found is unknown.
      return hasNull && (outcome & FALSE) != 0 ? (outcome & ~FALSE) | NULL : outcome;
    }

    private int firstAtLeast(@Nullable EncodedKey lower) {
      if (lower == null) {
        return 0;
      }
      int low = 0;
      int high = keys.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (keys.get(middle).compareTo(lower) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    @Override
    public void collectColumns(BitSet columns) {
      columns.set(operand.column);
    }

    @Override
    public boolean probes() {
      return !values.isEmpty();
    }
  }

  /**
   * {@code operand LIKE 'prefix...'}: matches lie in [prefix, next), {@code next} being the least
   * string above all that begin with the prefix, or null if there is none. If nothing follows the
   * prefix but {@code %}, all of that range matches.
   */
  record Prefix(Operand operand, EncodedKey prefix, @Nullable EncodedKey next, boolean prefixOnly)
      implements Condition {
    @Override
    public int possible(ContainerFacts facts) {
      Values values = Values.of(operand, facts);
      boolean anyTrue = values.mayBeAtLeast(prefix) && (next == null || values.mayBeBelow(next));
      boolean allTrue =
          prefixOnly
              && values.lower() != null
              && !values.mayBeBelow(prefix)
              && (next == null || (values.upper() != null && values.upper().compareTo(next) < 0));
      return values.outcome(anyTrue, !allTrue);
    }

    @Override
    public void collectColumns(BitSet columns) {
      columns.set(operand.column);
    }

    /** The least byte string above all that begin with {@code prefix}; null if there is none. */
    static @Nullable EncodedKey next(byte[] prefix) {
      int length = prefix.length;
      while (length > 0 && prefix[length - 1] == (byte) 0xff) {
        length--;
      }
      if (length == 0) {
        return null;
      }
      byte[] next = java.util.Arrays.copyOf(prefix, length);
      next[length - 1]++;
      return EncodedKey.of(next);
    }
  }

  record IsNull(Operand operand) implements Condition {
    @Override
    public int possible(ContainerFacts facts) {
      Values values = Values.of(operand, facts);
      return (values.anyNull ? TRUE : 0) | (values.anyValue ? FALSE : 0);
    }

    @Override
    public void collectColumns(BitSet columns) {
      columns.set(operand.column);
    }
  }

  /** {@code child IS TRUE} or {@code IS FALSE}. */
  record Is(Condition child, boolean expected) implements Condition {
    @Override
    public int possible(ContainerFacts facts) {
      int of = child.possible(facts);
      int match = expected ? TRUE : FALSE;
      return ((of & match) != 0 ? TRUE : 0) | ((of & ~match) != 0 ? FALSE : 0);
    }

    @Override
    public void collectColumns(BitSet columns) {
      child.collectColumns(columns);
    }

    @Override
    public boolean probes() {
      return child.probes();
    }
  }

  record Not(Condition child) implements Condition {
    @Override
    public int possible(ContainerFacts facts) {
      return not(child.possible(facts));
    }

    @Override
    public void collectColumns(BitSet columns) {
      child.collectColumns(columns);
    }

    @Override
    public boolean probes() {
      return child.probes();
    }
  }

  record And(List<Condition> terms) implements Condition {
    public And {
      terms = List.copyOf(terms);
    }

    @Override
    public int possible(ContainerFacts facts) {
      int all = TRUE;
      for (Condition term : terms) {
        all = and(all, term.possible(facts));
      }
      return all;
    }

    static int and(int left, int right) {
      int result = 0;
      result |= left & right & TRUE;
      result |= (left | right) & FALSE;
      boolean leftOpen = (left & (TRUE | NULL)) != 0;
      boolean rightOpen = (right & (TRUE | NULL)) != 0;
      if (leftOpen && rightOpen && ((left | right) & NULL) != 0) {
        result |= NULL;
      }
      return result;
    }

    @Override
    public void collectColumns(BitSet columns) {
      terms.forEach(t -> t.collectColumns(columns));
    }

    @Override
    public boolean probes() {
      return terms.stream().anyMatch(Condition::probes);
    }
  }

  record Or(List<Condition> terms) implements Condition {
    public Or {
      terms = List.copyOf(terms);
    }

    @Override
    public int possible(ContainerFacts facts) {
      // NOT (NOT a AND NOT b)
      int all = TRUE;
      for (Condition term : terms) {
        all = And.and(all, not(term.possible(facts)));
      }
      return not(all);
    }

    @Override
    public void collectColumns(BitSet columns) {
      terms.forEach(t -> t.collectColumns(columns));
    }

    @Override
    public boolean probes() {
      return terms.stream().anyMatch(Condition::probes);
    }
  }

  /** Always the same, or anything. */
  record Constant(int possible) implements Condition {
    @Override
    public int possible(ContainerFacts facts) {
      return possible;
    }

    @Override
    public void collectColumns(BitSet columns) {}
  }

  Condition UNKNOWN = new Constant(ANY);
}
