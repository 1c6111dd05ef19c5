package dev.varve.engine.logical;

import dev.varve.engine.logical.JoinCluster.Relation;
import dev.varve.engine.logical.JoinCluster.Role;
import dev.varve.engine.logical.JoinGraph.Condition;
import dev.varve.engine.logical.JoinGraph.EqualColumns;
import dev.varve.engine.logical.JoinSearch.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.tools.RelBuilder;

/** Makes the joins of a tree that was chosen. */
final class JoinTree {
  private final JoinGraph graph;
  private final JoinCluster cluster;
  private final RexBuilder rex;

  private JoinTree(JoinGraph graph, RexBuilder rex) {
    this.graph = graph;
    this.cluster = graph.cluster();
    this.rex = rex;
  }

  /** The joins, with the columns of {@code original}. */
  static RelNode build(JoinGraph graph, Tree tree, RelNode original) {
    return new JoinTree(graph, original.getCluster().getRexBuilder()).build(tree, original);
  }

  /**
   * A relation, or several joined.
   *
   * @param positions by number of a column, where it is; -1 if it is not there
   */
  private record Built(long set, RelNode rel, int[] positions) {
    RelDataType type(int position) {
      return rel.getRowType().getFieldList().get(position).getType();
    }
  }

  private RelNode build(Tree tree, RelNode original) {
    Built built = build(tree);
    RelBuilder builder = AlgebraConverter.builder(original.getCluster()).push(built.rel());
    List<RexNode> columns = new ArrayList<>();
    for (int column : cluster.output()) {
      columns.add(builder.field(built.positions()[column]));
    }
    return builder
        .project(columns, original.getRowType().getFieldNames())
        .convert(original.getRowType(), true)
        .build();
  }

  private Built build(Tree tree) {
    Tree left = tree.left();
    Tree right = tree.right();
    if (left == null || right == null) {
      return leaf(Long.numberOfTrailingZeros(tree.set()));
    }
    if (isAttached(left)) {
      return attach(build(right), build(left));
    }
    if (isAttached(right)) {
      return attach(build(left), build(right));
    }
    // The smaller side first: it is the one that a hash table is made of.
    return left.rows() <= right.rows()
        ? join(build(left), build(right))
        : join(build(right), build(left));
  }

  private boolean isAttached(Tree tree) {
    return tree.left() == null
        && graph.relation(Long.numberOfTrailingZeros(tree.set())).role() != Role.INNER;
  }

  private Built leaf(int index) {
    Relation relation = graph.relation(index);
    int[] positions = new int[cluster.width()];
    Arrays.fill(positions, -1);
    for (int i = relation.offset(); i < relation.end(); i++) {
      positions[i] = i - relation.offset();
    }
    Built built = new Built(1L << index, relation.rel(), positions);
    return filtered(built, graph.own(index));
  }

  private Built filtered(Built built, List<RexNode> conditions) {
    if (conditions.isEmpty()) {
      return built;
    }
    List<RexNode> moved = new ArrayList<>();
    for (RexNode condition : conditions) {
      moved.add(move(condition, c -> built.positions()[c], built.rel().getRowType()));
    }
    return new Built(
        built.set(),
        LogicalFilter.create(built.rel(), RexUtil.composeConjunction(rex, moved)),
        built.positions());
  }

  private Built join(Built left, Built right) {
    Built joined = joined(left, right, JoinRelType.INNER, List.of());
    List<RexNode> terms = new ArrayList<>();
    for (EqualColumns equal : graph.classes()) {
      if ((equal.relations() & left.set()) != 0 && (equal.relations() & right.set()) != 0) {
        terms.add(
            rex.makeCall(
                SqlStdOperatorTable.EQUALS,
                ref(joined, equal.columnIn(left.set(), cluster)),
                ref(joined, equal.columnIn(right.set(), cluster))));
      }
    }
    for (RexNode condition : completed(left, right)) {
      terms.add(move(condition, c -> joined.positions()[c], joined.rel().getRowType()));
    }
    return joined(left, right, JoinRelType.INNER, terms);
  }

  /** The conditions that need both sides and no more. */
  private List<RexNode> completed(Built left, Built right) {
    List<RexNode> found = new ArrayList<>();
    long both = left.set() | right.set();
    for (Condition condition : graph.conditions()) {
      long relations = condition.relations();
      boolean now = (relations & both) == relations;
      boolean before =
          (relations & left.set()) == relations || (relations & right.set()) == relations;
      // What only a relation that was attached is needed for is true of it when it is there.
      boolean onAttached = isOfAttachedAlone(relations) && (relations & right.set()) != 0;
      if (now && (!before || (onAttached && Long.bitCount(right.set()) == 1))) {
        found.add(condition.condition());
      }
    }
    return found;
  }

  private boolean isOfAttachedAlone(long relations) {
    return Long.bitCount(relations) == 1
        && graph.relation(Long.numberOfTrailingZeros(relations)).role() != Role.INNER;
  }

  private RexNode ref(Built joined, int column) {
    int position = joined.positions()[column];
    return rex.makeInputRef(joined.type(position), position);
  }

  private Built joined(Built left, Built right, JoinRelType type, List<RexNode> terms) {
    RelNode rel =
        LogicalJoin.create(
            left.rel(),
            right.rel(),
            List.of(),
            RexUtil.composeConjunction(rex, terms),
            Set.of(),
            type);
    int width = left.rel().getRowType().getFieldCount();
    int[] positions = left.positions().clone();
    if (type.projectsRight()) {
      for (int i = 0; i < positions.length; i++) {
        if (right.positions()[i] >= 0) {
          positions[i] = width + right.positions()[i];
        }
      }
    }
    return new Built(left.set() | right.set(), rel, positions);
  }

  private Built attach(Built left, Built right) {
    Relation relation = graph.relation(Long.numberOfTrailingZeros(right.set()));
    int width = left.rel().getRowType().getFieldCount();
    List<RelDataType> types = new ArrayList<>();
    left.rel().getRowType().getFieldList().forEach(f -> types.add(f.getType()));
    right.rel().getRowType().getFieldList().forEach(f -> types.add(f.getType()));
    List<RexNode> terms = new ArrayList<>();
    for (RexNode term : relation.attachment()) {
      terms.add(
          move(
              term,
              c ->
                  right.positions()[c] >= 0
                      ? width + right.positions()[c]
                      : left.positions()[graph.columnIn(c, left.set())],
              types));
    }
    JoinRelType type =
        switch (relation.role()) {
          case LEFT -> JoinRelType.LEFT;
          case SEMI -> JoinRelType.SEMI;
          case ANTI -> JoinRelType.ANTI;
          case INNER -> throw new IllegalStateException("an inner relation is not attached");
        };
    return filtered(joined(left, right, type, terms), completed(left, right));
  }

  private RexNode move(RexNode condition, IntUnaryOperator position, RelDataType row) {
    return move(condition, position, row.getFieldList().stream().map(f -> f.getType()).toList());
  }

  private RexNode move(RexNode condition, IntUnaryOperator position, List<RelDataType> types) {
    return condition.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            int to = position.applyAsInt(ref.getIndex());
            return rex.makeInputRef(Objects.requireNonNull(types.get(to)), to);
          }
        });
  }
}
