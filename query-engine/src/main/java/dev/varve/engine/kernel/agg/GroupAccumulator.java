package dev.varve.engine.kernel.agg;

import dev.varve.engine.batch.Column;

/**
 * The states of one aggregate for many groups, by group number. Confined to one task.
 *
 * <p>A call's group numbers are below the number of groups last given to {@link #resize}; a group
 * that was never named has an empty state.
 */
public interface GroupAccumulator {

  /** Bytes that one group takes in arrays. */
  long bytesPerGroup();

  /** Makes room for {@code groups} groups; what is there stays. */
  void resize(int groups);

  /** Takes row i of the arguments into group {@code groups[i]}. */
  void update(int[] groups, int count, Column[] arguments);

  /** Takes all rows of the arguments into group 0. */
  void updateAll(int count, Column[] arguments);

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

  /** Empties all states; the room stays. */
  void clear();

  /** Bytes held outside the arrays of fixed width: values of varying length. */
  default long varyingBytes() {
    return 0;
  }
}
