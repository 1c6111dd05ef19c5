package dev.varve.engine.logical;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;

/**
 * Joins that may be done in another order: inner joins, and the left, semi and anti joins among
 * them, each of which attaches its right side to whatever has the columns that its condition needs.
 *
 * <p>{@code (A x B) op C = (A op C) x B} holds for an inner join x and op any of the three whose
 * condition is about A and C, so that the three need only wait for their columns, and whatever
 * needs columns of C has to wait for a left join with it.
 *
 * <p>Columns of all relations are numbered through; a relation's start at its {@code offset}.
 */
final class JoinCluster {
  /** How a relation takes part. The first relation of a cluster is always inner. */
  enum Role {
    INNER,
    LEFT,
    SEMI,
    ANTI
  }

  /**
   * One input.
   *
   * @param attachment the condition by which a relation that is not inner is attached
   */
  record Relation(RelNode rel, Role role, int offset, List<RexNode> attachment) {
    int end() {
      return offset + rel.getRowType().getFieldCount();
    }
  }

  private final RexBuilder rex;
  private final UnaryOperator<RelNode> orderInside;
  private final List<Relation> relations = new ArrayList<>();

  /** Each has to be true of every row of the result. */
  private final List<RexNode> conditions = new ArrayList<>();

  private final List<Integer> output;
  private int width;

  private JoinCluster(RelNode root, UnaryOperator<RelNode> orderInside) {
    this.rex = root.getCluster().getRexBuilder();
    this.orderInside = orderInside;
    this.output = collect(root);
  }

  /**
   * The cluster whose top is a node for which {@link #isPart} holds.
   *
   * @param orderInside applied to each relation
   */
  static JoinCluster of(RelNode root, UnaryOperator<RelNode> orderInside) {
    return new JoinCluster(root, orderInside);
  }

  List<Relation> relations() {
    return relations;
  }

  List<RexNode> conditions() {
    return conditions;
  }

  /** For each column of the original result, its number. */
  List<Integer> output() {
    return output;
  }

  int width() {
    return width;
  }

  /** The relation that a column belongs to. */
  int relationOf(int column) {
    for (int i = 0; i < relations.size(); i++) {
      if (column < relations.get(i).end()) {
        return i;
      }
    }
    throw new IllegalStateException("no column " + column + " in a cluster of " + width);
  }

  /** Whether a join can stand inside a cluster. */
  static boolean isPart(RelNode node) {
    return node instanceof Join join
        && join.getVariablesSet().isEmpty()
        && RexUtil.isDeterministic(join.getCondition())
        && switch (join.getJoinType()) {
          case INNER, LEFT, SEMI, ANTI -> true;
          default -> false;
        };
  }

  /** Adds what is below a node; the numbers of the node's columns. */
  private List<Integer> collect(RelNode node) {
    if (isPart(node)) {
      return collectJoin((Join) node);
    }
    if (node instanceof Filter filter
        && leadsToJoin(filter.getInput())
        && filter.getVariablesSet().isEmpty()
        && RexUtil.isDeterministic(filter.getCondition())
        && !RexOver.containsOver(filter.getCondition())) {
      List<Integer> columns = collect(filter.getInput());
      addConditions(filter.getCondition(), columns);
      return columns;
    }
    if (node instanceof Project project && isMapping(project) && leadsToJoin(project.getInput())) {
      List<Integer> columns = collect(project.getInput());
      return project.getProjects().stream()
          .map(e -> columns.get(((RexInputRef) e).getIndex()))
          .toList();
    }
    return add(node, Role.INNER, List.of());
  }

  private static boolean leadsToJoin(RelNode node) {
    return isPart(node)
        || (node instanceof Filter filter && leadsToJoin(filter.getInput()))
        || (node instanceof Project project
            && isMapping(project)
            && leadsToJoin(project.getInput()));
  }

  private static boolean isMapping(Project project) {
    return project.getProjects().stream().allMatch(RexInputRef.class::isInstance);
  }

  private List<Integer> collectJoin(Join join) {
    List<Integer> left = collect(join.getLeft());
    if (join.getJoinType() == JoinRelType.INNER) {
      List<Integer> columns = new ArrayList<>(left);
      columns.addAll(collect(join.getRight()));
      addConditions(join.getCondition(), columns);
      return columns;
    }
    Role role =
        switch (join.getJoinType()) {
          case LEFT -> Role.LEFT;
          case SEMI -> Role.SEMI;
          case ANTI -> Role.ANTI;
          default -> throw new IllegalStateException("no part of a cluster: " + join);
        };
    List<Integer> both = new ArrayList<>(left);
    int start = width;
    for (int i = 0; i < join.getRight().getRowType().getFieldCount(); i++) {
      both.add(start + i);
    }
    List<RexNode> attachment = new ArrayList<>();
    for (RexNode term : conjuncts(join.getCondition())) {
      attachment.add(renumber(term, both));
    }
    add(join.getRight(), role, attachment);
    return role == Role.LEFT ? both : left;
  }

  private List<Integer> add(RelNode node, Role role, List<RexNode> attachment) {
    Relation relation = new Relation(orderInside.apply(node), role, width, attachment);
    relations.add(relation);
    width = relation.end();
    List<Integer> columns = new ArrayList<>();
    for (int i = relation.offset(); i < width; i++) {
      columns.add(i);
    }
    return columns;
  }

  private void addConditions(RexNode condition, List<Integer> columns) {
    for (RexNode term : conjuncts(condition)) {
      conditions.add(renumber(term, columns));
    }
  }

  private static List<RexNode> conjuncts(RexNode condition) {
    return RelOptUtil.conjunctions(condition).stream().filter(c -> !c.isAlwaysTrue()).toList();
  }

  private RexNode renumber(RexNode condition, List<Integer> columns) {
    return condition.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef ref) {
            return rex.makeInputRef(ref.getType(), columns.get(ref.getIndex()));
          }
        });
  }

  /** The fields of a relation. */
  static List<RelDataTypeField> fields(Relation relation) {
    return relation.rel().getRowType().getFieldList();
  }
}
