package dev.varve.layout.error;

/** A place in a statement's text; line and column count from 1. */
public record SourcePosition(int line, int column) {
  public SourcePosition {
    if (line < 1 || column < 1) {
      throw new IllegalArgumentException("position " + line + ":" + column + " is not in a text");
    }
  }

  @Override
  public String toString() {
    return "line " + line + ", column " + column;
  }
}
