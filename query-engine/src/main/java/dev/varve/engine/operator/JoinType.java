package dev.varve.engine.operator;

/** How a join treats rows without a match. Left is the build side. */
public enum JoinType {
  INNER,
  LEFT,
  RIGHT,
  FULL,
  LEFT_SEMI,
  LEFT_ANTI,
  RIGHT_SEMI,
  RIGHT_ANTI;

  /** Whether the output has the left side's columns. */
  public boolean keepsLeftColumns() {
    return this != RIGHT_SEMI && this != RIGHT_ANTI;
  }

  public boolean keepsRightColumns() {
    return this != LEFT_SEMI && this != LEFT_ANTI;
  }

  /** Whether left rows without a match come out, so that right columns can be null. */
  public boolean preservesLeft() {
    return this == LEFT || this == FULL;
  }

  public boolean preservesRight() {
    return this == RIGHT || this == FULL;
  }

  /** Whether right rows come out that match no left row. */
  public boolean keepsUnmatchedRight() {
    return preservesRight() || this == RIGHT_ANTI;
  }

  /**
   * Whether a condition on left columns alone may be applied to the left input instead of to the
   * output.
   */
  public boolean filtersPassLeft() {
    return this == INNER || this == LEFT || this == LEFT_SEMI || this == LEFT_ANTI;
  }

  public boolean filtersPassRight() {
    return this == INNER || this == RIGHT || this == RIGHT_SEMI || this == RIGHT_ANTI;
  }

  /** Whether left rows come out after all right rows were seen: matched or unmatched ones. */
  public boolean emitsLeftAtEnd() {
    return this == LEFT || this == FULL || this == LEFT_SEMI || this == LEFT_ANTI;
  }

  /** The same join with its sides exchanged. */
  public JoinType swapped() {
    return switch (this) {
      case INNER -> INNER;
      case LEFT -> RIGHT;
      case RIGHT -> LEFT;
      case FULL -> FULL;
      case LEFT_SEMI -> RIGHT_SEMI;
      case LEFT_ANTI -> RIGHT_ANTI;
      case RIGHT_SEMI -> LEFT_SEMI;
      case RIGHT_ANTI -> LEFT_ANTI;
    };
  }
}
