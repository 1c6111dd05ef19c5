package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Predicates;
import dev.varve.engine.kernel.agg.GroupAccumulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The accumulators of all aggregates of a node. Confined to one task. */
final class AggregateStates {
  private final List<AggregateExpr> aggregates;
  private final boolean merges;
  private final boolean emitsStates;
  private final int groupColumns;
  private final GroupAccumulator[] accumulators;
  private int capacity;

  /** States of the node's mode. */
  AggregateStates(AggregateExec node) {
    this(node, node.mode().mergesStates());
  }

  /** With {@code merges} the input is group columns and states, whatever the node's mode. */
  AggregateStates(AggregateExec node, boolean merges) {
    this.aggregates = node.aggregates();
    this.merges = merges;
    this.emitsStates = node.mode() == AggregateMode.PARTIAL;
    this.groupColumns = node.groupBy().size();
    this.accumulators = new GroupAccumulator[aggregates.size()];
    for (int a = 0; a < accumulators.length; a++) {
      accumulators[a] = aggregates.get(a).function().accumulator();
    }
  }

  long bytesPerGroup() {
    long bytes = 0;
    for (GroupAccumulator accumulator : accumulators) {
      bytes += accumulator.bytesPerGroup();
    }
    return bytes;
  }

  int capacity() {
    return capacity;
  }

  void resize(int groups) {
    for (GroupAccumulator accumulator : accumulators) {
      accumulator.resize(groups);
    }
    capacity = groups;
  }

  void clear() {
    for (GroupAccumulator accumulator : accumulators) {
      accumulator.clear();
    }
  }

  long varyingBytes() {
    long bytes = 0;
    for (GroupAccumulator accumulator : accumulators) {
      bytes += accumulator.varyingBytes();
    }
    return bytes;
  }

  /** What the accumulators take of a batch: for each aggregate its arguments, or its states. */
  Column[][] inputs(Batch batch, EvalContext eval) {
    Column[][] inputs = new Column[accumulators.length][];
    int state = groupColumns;
    for (int a = 0; a < accumulators.length; a++) {
      AggregateExpr aggregate = aggregates.get(a);
      if (merges) {
        inputs[a] = new Column[aggregate.function().stateTypes().size()];
        for (int s = 0; s < inputs[a].length; s++) {
          inputs[a][s] = batch.column(state++);
        }
      } else {
        inputs[a] = new Column[aggregate.arguments().size()];
        for (int i = 0; i < inputs[a].length; i++) {
          inputs[a][i] = aggregate.arguments().get(i).evaluate(batch, eval);
        }
      }
    }
    return inputs;
  }

  /** Takes rows [from, to), row i belonging to {@code groups[i]}. */
  void update(Batch batch, Column[][] inputs, int[] groups, int from, int to, EvalContext eval) {
    int count = to - from;
    boolean all = count == batch.rowCount();
    int[] rowGroups = all ? groups : Arrays.copyOfRange(groups, from, to);
    for (int a = 0; a < accumulators.length; a++) {
      Column[] columns = all ? inputs[a] : slices(inputs[a], from, count);
      if (merges) {
        accumulators[a].merge(rowGroups, count, columns);
      } else if (aggregates.get(a).filter().isPresent()) {
        Batch rows = all ? batch : batch.slice(from, count);
        PhysicalExpr filter = aggregates.get(a).filter().get();
        int[] selection = new int[count];
        int selected = Predicates.select(filter, rows, eval, selection);
        int[] selectedGroups = new int[selected];
        for (int i = 0; i < selected; i++) {
          selectedGroups[i] = rowGroups[selection[i]];
        }
        accumulators[a].update(selectedGroups, selected, take(columns, selection, selected));
      } else {
        accumulators[a].update(rowGroups, count, columns);
      }
    }
  }

  /** Takes all rows into the one group there is. */
  void updateAll(Batch batch, Column[][] inputs, EvalContext eval) {
    int count = batch.rowCount();
    for (int a = 0; a < accumulators.length; a++) {
      if (merges) {
        accumulators[a].merge(new int[count], count, inputs[a]);
      } else if (aggregates.get(a).filter().isPresent()) {
        int[] selection = new int[count];
        int selected = Predicates.select(aggregates.get(a).filter().get(), batch, eval, selection);
        accumulators[a].updateAll(selected, take(inputs[a], selection, selected));
      } else {
        accumulators[a].updateAll(count, inputs[a]);
      }
    }
  }

  private static Column[] slices(Column[] columns, int from, int count) {
    Column[] slices = new Column[columns.length];
    for (int i = 0; i < columns.length; i++) {
      slices[i] = columns[i].slice(from, count);
    }
    return slices;
  }

  private static Column[] take(Column[] columns, int[] rows, int count) {
    Column[] taken = new Column[columns.length];
    for (int i = 0; i < columns.length; i++) {
      taken[i] = columns[i].take(rows, count);
    }
    return taken;
  }

  /** The node's columns after the group columns: results, or states where it emits those. */
  List<Column> output(int from, int count) {
    if (emitsStates) {
      return states(from, count);
    }
    List<Column> columns = new ArrayList<>();
    for (GroupAccumulator accumulator : accumulators) {
      columns.add(accumulator.result(from, count));
    }
    return columns;
  }

  /** The states, to be merged later. */
  List<Column> states(int from, int count) {
    List<Column> columns = new ArrayList<>();
    for (GroupAccumulator accumulator : accumulators) {
      columns.addAll(Arrays.asList(accumulator.state(from, count)));
    }
    return columns;
  }

  /** Empties all groups but one, which becomes group 0. */
  void keepOnly(int group) {
    for (GroupAccumulator accumulator : accumulators) {
      Column[] state = accumulator.state(group, 1);
      accumulator.clear();
      accumulator.merge(new int[] {0}, 1, state);
    }
  }
}
