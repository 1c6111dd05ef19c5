package dev.varve.engine.logical;

import dev.varve.engine.logical.JoinCluster.Relation;
import dev.varve.engine.logical.JoinCluster.Role;
import dev.varve.engine.properties.ColumnSpread;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/**
 * What connects the relations of a cluster, and how many rows any set of them has when joined.
 *
 * <p>Equalities between columns of inner relations form classes: {@code a = b} and {@code b = c}
 * connect a with c as well, and only as many equalities are tested as are needed. The number of
 * rows of a set depends on the set alone, not on the order in which it was joined, so that orders
 * are compared by what they differ in.
 *
 * <p>Sets of relations are bit masks.
 */
final class JoinGraph {
  /** Share that a condition over several relations keeps which is no equality. */
  private static final double OTHER_CONDITION = RelEstimates.NON_EQUALITY;

  /** Values assumed of an expression without columns. */
  private static final double UNKNOWN_DOMAIN = 10;

  /** Equal columns of inner relations, at most one for each of its relations. */
  record EqualColumns(long relations, int[] columns) {
    /** The class's column in one of some relations. */
    int columnIn(long set, JoinCluster cluster) {
      for (int column : columns) {
        if ((set & 1L << cluster.relationOf(column)) != 0) {
          return column;
        }
      }
      throw new IllegalStateException("no column of the class is in " + Long.toBinaryString(set));
    }
  }

  /** A condition that is no equality of the classes; {@code relations} are those it needs. */
  record Condition(RexNode condition, long relations, double share) {
    boolean isEquality() {
      return isEqualityKind(condition);
    }
  }

  private final JoinCluster cluster;
  private final ColumnDomains domains;
  private final @Nullable ColumnSpread[] spreads;
  private final double[] rows;
  private final boolean[] single;
  private final List<EqualColumns> classes = new ArrayList<>();
  private final List<Condition> conditions = new ArrayList<>();

  /** By relation, what holds of its columns alone and is not tested yet. */
  private final List<List<RexNode>> own = new ArrayList<>();

  /** Corrections for pairs of relations that several classes connect. */
  private record Compound(long pair, double factor) {}

  private final List<Compound> compounds = new ArrayList<>();

  JoinGraph(JoinCluster cluster, RelMetadataQuery metadata) {
    this.cluster = cluster;
    this.domains = new ColumnDomains(metadata);
    int n = cluster.relations().size();
    this.spreads = new ColumnSpread[cluster.width()];
    this.rows = new double[n];
    this.single = new boolean[n];
    for (int i = 0; i < n; i++) {
      Relation relation = cluster.relations().get(i);
      rows[i] = Math.max(1, metadata.getRowCount(relation.rel()));
      Double most = metadata.getMaxRowCount(relation.rel());
      single[i] = most != null && most <= 1;
      own.add(new ArrayList<>());
    }
    connect();
    correctCompounds();
  }

  int size() {
    return rows.length;
  }

  Relation relation(int i) {
    return cluster.relations().get(i);
  }

  List<EqualColumns> classes() {
    return classes;
  }

  List<Condition> conditions() {
    return conditions;
  }

  /** What is to be tested of one relation's columns before it is joined. */
  List<RexNode> own(int relation) {
    return own.get(relation);
  }

  /** Whether a relation has one row at most. */
  boolean isSingleRow(int relation) {
    return single[relation];
  }

  private void connect() {
    int[] parent = new int[cluster.width()];
    for (int i = 0; i < parent.length; i++) {
      parent[i] = i;
    }
    for (RexNode condition : cluster.conditions()) {
      int[] equal = equalColumns(condition);
      if (equal != null) {
        parent[root(parent, equal[0])] = root(parent, equal[1]);
      } else {
        addCondition(condition);
      }
    }
    for (int top = 0; top < parent.length; top++) {
      if (root(parent, top) == top) {
        addClass(parent, top);
      }
    }
  }

  private static int root(int[] parent, int column) {
    int at = column;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** The columns that a condition equates, if both are of inner relations and of one type. */
  private int @Nullable [] equalColumns(RexNode condition) {
    if (condition.getKind() != SqlKind.EQUALS
        || !(((RexCall) condition).getOperands().get(0) instanceof RexInputRef left)
        || !(((RexCall) condition).getOperands().get(1) instanceof RexInputRef right)
        || !sameType(left.getType(), right.getType())
        || relation(cluster.relationOf(left.getIndex())).role() != Role.INNER
        || relation(cluster.relationOf(right.getIndex())).role() != Role.INNER) {
      return null;
    }
    return new int[] {left.getIndex(), right.getIndex()};
  }

  private static boolean sameType(RelDataType a, RelDataType b) {
    return a.getSqlTypeName() == b.getSqlTypeName()
        && a.getPrecision() == b.getPrecision()
        && a.getScale() == b.getScale();
  }

  private void addClass(int[] parent, int top) {
    List<Integer> members = new ArrayList<>();
    long relations = 0;
    // A relation's columns follow one another.
    for (int column = 0; column < parent.length; column++) {
      if (root(parent, column) != top) {
        continue;
      }
      int relation = cluster.relationOf(column);
      if ((relations & 1L << relation) == 0) {
        members.add(column);
        relations |= 1L << relation;
      } else {
        own.get(relation).add(equality(members.getLast(), column));
      }
    }
    if (members.size() > 1) {
      classes.add(
          new EqualColumns(relations, members.stream().mapToInt(Integer::intValue).toArray()));
    }
  }

  private RexNode equality(int left, int right) {
    RexBuilder rex = cluster.relations().getFirst().rel().getCluster().getRexBuilder();
    return rex.makeCall(
        SqlStdOperatorTable.EQUALS,
        rex.makeInputRef(type(left), left),
        rex.makeInputRef(type(right), right));
  }

  private RelDataType type(int column) {
    Relation relation = relation(cluster.relationOf(column));
    RelDataTypeField field = JoinCluster.fields(relation).get(column - relation.offset());
    return field.getType();
  }

  private void addCondition(RexNode condition) {
    long relations = relations(condition);
    if (relations == 0) {
      // About no column: true of all rows or none. The first relation is an inner one.
      own.getFirst().add(condition);
    } else if (Long.bitCount(relations) == 1
        && relation(Long.numberOfTrailingZeros(relations)).role() == Role.INNER) {
      own.get(Long.numberOfTrailingZeros(relations)).add(condition);
    } else {
      conditions.add(new Condition(condition, relations, share(condition)));
    }
  }

  private long relations(RexNode condition) {
    long relations = 0;
    for (int column : RelOptUtil.InputFinder.bits(condition)) {
      relations |= 1L << cluster.relationOf(column);
    }
    return relations;
  }

  /** Equalities that are no part of a class by the larger of both sides' domains. */
  private double share(RexNode condition) {
    if (isEqualityKind(condition)) {
      RexCall call = (RexCall) condition;
      return 1
          / ColumnSpread.joined(
              domain(call.getOperands().get(0)), domain(call.getOperands().get(1)));
    }
    return condition.getKind() == SqlKind.OR ? 0.5 : OTHER_CONDITION;
  }

  /** Of an expression: that of the column with most values. */
  private ColumnSpread domain(RexNode expression) {
    ColumnSpread widest = null;
    for (int column : RelOptUtil.InputFinder.bits(expression)) {
      ColumnSpread domain = domain(column);
      widest = widest == null || domain.domain() > widest.domain() ? domain : widest;
    }
    return widest == null
        ? ColumnSpread.of(ColumnStatistics.UNKNOWN, DataType.NULL, UNKNOWN_DOMAIN)
        : widest;
  }

  private ColumnSpread domain(int column) {
    ColumnSpread known = spreads[column];
    if (known == null) {
      Relation relation = relation(cluster.relationOf(column));
      known = domains.of(relation.rel(), column - relation.offset());
      spreads[column] = known;
    }
    return known;
  }

  /** Several classes between two relations are one compound key. */
  private void correctCompounds() {
    for (int a = 0; a < size(); a++) {
      for (int b = a + 1; b < size(); b++) {
        long pair = 1L << a | 1L << b;
        JoinKeys keys = new JoinKeys();
        double independent = 1;
        int count = 0;
        for (EqualColumns equal : classes) {
          if ((equal.relations() & pair) == pair) {
            ColumnSpread left = domain(equal.columnIn(1L << a, cluster));
            ColumnSpread right = domain(equal.columnIn(1L << b, cluster));
            keys.add(left, right);
            independent *= ColumnSpread.joined(left, right);
            count++;
          }
        }
        if (count > 1) {
          compounds.add(new Compound(pair, independent / keys.divisor()));
        }
      }
    }
  }

  /** Rows of the join of a set. */
  double rows(long set) {
    double result = 1;
    long inner = 0;
    for (int i = 0; i < size(); i++) {
      if ((set & 1L << i) != 0 && (relation(i).role() == Role.INNER || Long.bitCount(set) == 1)) {
        result *= rows[i];
        inner |= 1L << i;
      }
    }
    for (EqualColumns equal : classes) {
      result /= divisor(equal, inner);
    }
    long corrected = 0;
    for (Compound compound : compounds) {
      boolean within = (inner & compound.pair()) == compound.pair();
      // A third relation on the same classes is connected to the first two by one correction.
      if (within && (corrected & compound.pair()) != compound.pair()) {
        result *= compound.factor();
        corrected |= compound.pair();
      }
    }
    for (Condition condition : conditions) {
      if ((set & condition.relations()) == condition.relations()) {
        result *= condition.share();
      }
    }
    for (int i = 0; i < size(); i++) {
      if ((set & 1L << i) != 0 && Long.bitCount(set) > 1 && relation(i).role() != Role.INNER) {
        result = attached(i, result);
      }
    }
    return Math.max(1, result);
  }

  /** The product of the members' domains but the smallest. */
  private double divisor(EqualColumns equal, long set) {
    ColumnSpread first = null;
    double divisor = 1;
    for (int column : equal.columns()) {
      if ((set & 1L << cluster.relationOf(column)) != 0) {
        ColumnSpread domain = domain(column);
        if (first != null) {
          divisor *= ColumnSpread.joined(first, domain);
          first = first.domain() < domain.domain() ? first : domain;
        } else {
          first = domain;
        }
      }
    }
    return divisor;
  }

  private double attached(int relation, double before) {
    JoinKeys keys = new JoinKeys();
    double others = 1;
    for (RexNode term : relation(relation).attachment()) {
      List<RexNode> sides = term instanceof RexCall call ? call.getOperands() : List.of();
      boolean equality = isEqualityKind(term);
      if (equality && relations(sides.get(0)) == 1L << relation) {
        keys.add(domain(sides.get(1)), domain(sides.get(0)));
      } else if (equality) {
        keys.add(domain(sides.get(0)), domain(sides.get(1)));
      } else {
        others *= OTHER_CONDITION;
      }
    }
    double matched = (keys.isEmpty() ? 1 : keys.matchedShare(rows[relation])) * others;
    return switch (relation(relation).role()) {
      case INNER -> before;
      case LEFT -> Math.max(before, before * rows[relation] / keys.divisor() * others);
      case SEMI -> before * matched;
      case ANTI -> before * Math.max(RelEstimates.LEAST_ANTI_SHARE, 1 - matched);
    };
  }

  private static boolean isEqualityKind(RexNode condition) {
    return condition.getKind() == SqlKind.EQUALS
        || condition.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
  }

  /** Whether an attachment has an equality, so that it can be looked up. */
  boolean hasKeys(int relation) {
    return relation(relation).attachment().stream().anyMatch(JoinGraph::isEqualityKind);
  }

  /**
   * The relations of which one each must be there before a relation is attached: a mask for each
   * column of the other side that the condition is about.
   */
  List<Long> neededBy(int relation) {
    List<Long> needed = new ArrayList<>();
    for (RexNode term : relation(relation).attachment()) {
      for (int column : RelOptUtil.InputFinder.bits(term)) {
        if (cluster.relationOf(column) != relation) {
          needed.add(holders(column));
        }
      }
    }
    return needed;
  }

  /** The relations that have a column or an equal one. */
  private long holders(int column) {
    EqualColumns equal = classOf(column);
    return equal == null ? 1L << cluster.relationOf(column) : equal.relations();
  }

  private @Nullable EqualColumns classOf(int column) {
    for (EqualColumns equal : classes) {
      for (int member : equal.columns()) {
        if (member == column) {
          return equal;
        }
      }
    }
    return null;
  }

  /** The column itself if its relation is in a set, or else an equal one that is. */
  int columnIn(int column, long set) {
    if ((set & 1L << cluster.relationOf(column)) != 0) {
      return column;
    }
    EqualColumns equal = classOf(column);
    if (equal == null) {
      throw new IllegalStateException("no column for " + column);
    }
    return equal.columnIn(set, cluster);
  }

  JoinCluster cluster() {
    return cluster;
  }

  /** All relations. */
  long all() {
    return size() == Long.SIZE ? -1L : (1L << size()) - 1;
  }
}
