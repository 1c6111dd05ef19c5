package dev.varve.engine.operator;

import dev.varve.engine.batch.Column;

/**
 * The states of one aggregate for many groups, by group number. Confined to one task.
 *
 * <p>Group numbers are dense; a call's groups are below the {@code groupCount} it names, and a new
 * group has an empty state.
 */
public interface GroupAccumulator {

  /** Bytes {@link #resize} would have to allocate to hold {@code groupCount} groups. */
  long growthBytes(int groupCount);

  /** Makes room for {@code groupCount} groups; never shrinks. */
  void resize(int groupCount);

  /** Takes row i of the arguments into group {@code groups[i]}. */
  void update(int[] groups, int count, Column[] arguments);

  /** Takes state i of the state columns into group {@code groups[i]}. */
  void merge(int[] groups, int count, Column[] states);

  /** The states of groups [from, from + count), as columns. */
  Column[] state(int from, int count);

  /**
   * The results of groups [from, from + count).
   *
   * @throws dev.varve.layout.error.VarveException if one is out of its type's range
   */
  Column result(int from, int count);

  /** Empties all states and forgets the groups; memory is kept. */
  void clear();

  long sizeInBytes();
}
