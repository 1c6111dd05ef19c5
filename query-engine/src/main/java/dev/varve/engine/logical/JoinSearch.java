package dev.varve.engine.logical;

import dev.varve.engine.logical.JoinCluster.Role;
import dev.varve.engine.logical.JoinGraph.Condition;
import dev.varve.engine.logical.JoinGraph.EqualColumns;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the cheapest tree of a cluster: all trees without cross products for a moderate number
 * of relations, by dynamic programming over sets of them; for more, two sets at a time, those whose
 * join has fewest rows.
 *
 * <p>A join costs the rows that it gives, those that it looks up, and those that it builds a table
 * of, which are dearer. That prefers small results and, among equal ones, tables of the small side.
 */
final class JoinSearch {
  private static final int MAX_FOR_ALL_TREES = 12;
  private static final double BUILD_COST = 2;
  private static final double PROBE_COST = 1;
  private static final double OUTPUT_COST = 1;

  /** Of comparing one pair of rows where no equality helps. */
  private static final double PAIR_COST = 0.5;

  /** A set of relations, joined; a single relation has no sides. */
  record Tree(long set, double rows, double cost, @Nullable Tree left, @Nullable Tree right) {}

  private final JoinGraph graph;
  private final long attached;
  private final List<List<Long>> needed = new ArrayList<>();
  private boolean crossProducts;

  private JoinSearch(JoinGraph graph) {
    this.graph = graph;
    long mask = 0;
    for (int i = 0; i < graph.size(); i++) {
      needed.add(graph.neededBy(i));
      mask |= graph.relation(i).role() == Role.INNER ? 0 : 1L << i;
    }
    this.attached = mask;
  }

  static Tree best(JoinGraph graph) {
    JoinSearch search = new JoinSearch(graph);
    Tree found = graph.size() <= MAX_FOR_ALL_TREES ? search.allTrees() : search.greedy();
    if (found == null) {
      // Something is connected to nothing.
      search.crossProducts = true;
      found = search.greedy();
    }
    if (found == null) {
      throw new IllegalStateException("no order for " + graph.size() + " relations");
    }
    return found;
  }

  private Tree leaf(int relation) {
    return new Tree(1L << relation, graph.rows(1L << relation), 0, null, null);
  }

  private @Nullable Tree allTrees() {
    int n = graph.size();
    Tree[] best = new Tree[1 << n];
    for (int i = 0; i < n; i++) {
      best[1 << i] = leaf(i);
    }
    for (int set = 1; set < best.length; set++) {
      if (Integer.bitCount(set) < 2) {
        continue;
      }
      double rows = -1;
      int lowest = Integer.lowestOneBit(set);
      for (int part = (set - 1) & set; part > 0; part = (part - 1) & set) {
        Tree left = best[part];
        Tree right = best[set ^ part];
        // Each pair once: the part with the lowest relation is the left one.
        if ((part & lowest) == 0 || left == null || right == null) {
          continue;
        }
        Connection connection = connection(left.set(), right.set());
        if (connection == Connection.NONE) {
          continue;
        }
        if (rows < 0) {
          rows = graph.rows(set);
        }
        double cost = cost(left, right, rows, connection);
        Tree known = best[set];
        if (known == null || cost < known.cost()) {
          best[set] = new Tree(set, rows, cost, left, right);
        }
      }
    }
    return best[best.length - 1];
  }

  private @Nullable Tree greedy() {
    List<Tree> trees = new ArrayList<>();
    for (int i = 0; i < graph.size(); i++) {
      trees.add(leaf(i));
    }
    while (trees.size() > 1) {
      Tree next = cheapest(trees);
      if (next == null) {
        return null;
      }
      trees.remove(next.left());
      trees.remove(next.right());
      trees.add(next);
    }
    return trees.getFirst();
  }

  /** The join of two trees that has fewest rows; one that needs no cross product before others. */
  private @Nullable Tree cheapest(List<Tree> trees) {
    Tree best = null;
    boolean bestIsCross = true;
    for (int i = 0; i < trees.size(); i++) {
      for (int j = i + 1; j < trees.size(); j++) {
        Tree left = trees.get(i);
        Tree right = trees.get(j);
        Connection connection = connection(left.set(), right.set());
        if (connection == Connection.NONE) {
          continue;
        }
        boolean cross = connection == Connection.PRODUCT;
        double rows = graph.rows(left.set() | right.set());
        if (best == null
            || (bestIsCross && !cross)
            || (bestIsCross == cross && rows < best.rows())) {
          double cost = cost(left, right, rows, connection);
          best = new Tree(left.set() | right.set(), rows, cost, left, right);
          bestIsCross = cross;
        }
      }
    }
    return best;
  }

  private double cost(Tree left, Tree right, double rows, Connection connection) {
    double small = Math.min(left.rows(), right.rows());
    double large = Math.max(left.rows(), right.rows());
    double own =
        connection == Connection.KEYS
            ? small * BUILD_COST + large * PROBE_COST
            : small * large * PAIR_COST;
    return left.cost() + right.cost() + own + rows * OUTPUT_COST;
  }

  /** How two sets can be joined. */
  private enum Connection {
    KEYS,
    CONDITION,
    /** By nothing, but one side has one row, or there is no other way. */
    PRODUCT,
    NONE
  }

  private Connection connection(long left, long right) {
    if (isAttached(left)) {
      return canAttach(left, right);
    }
    if (isAttached(right)) {
      return canAttach(right, left);
    }
    for (EqualColumns equal : graph.classes()) {
      if ((equal.relations() & left) != 0 && (equal.relations() & right) != 0) {
        return Connection.KEYS;
      }
    }
    long both = left | right;
    for (Condition condition : graph.conditions()) {
      long relations = condition.relations();
      if ((relations & both) == relations && (relations & left) != 0 && (relations & right) != 0) {
        return condition.isEquality() ? Connection.KEYS : Connection.CONDITION;
      }
    }
    return crossProducts || isSingleRow(left) || isSingleRow(right)
        ? Connection.PRODUCT
        : Connection.NONE;
  }

  /** Whether this is a relation that waits for being attached. */
  private boolean isAttached(long set) {
    return (set & attached) != 0 && Long.bitCount(set) == 1;
  }

  private boolean isSingleRow(long set) {
    return Long.bitCount(set) == 1 && graph.isSingleRow(Long.numberOfTrailingZeros(set));
  }

  private Connection canAttach(long relation, long set) {
    if (isAttached(set)) {
      return Connection.NONE;
    }
    int which = Long.numberOfTrailingZeros(relation);
    for (long holders : needed.get(which)) {
      if ((holders & set) == 0) {
        return Connection.NONE;
      }
    }
    return graph.hasKeys(which) ? Connection.KEYS : Connection.CONDITION;
  }
}
