package dev.varve.engine.kernel;

import dev.varve.engine.batch.*;

public final class Likes {
  private Likes() {}

  public static Column matches(Column value, LikePattern pattern, boolean negated) {
    throw new IllegalStateException("like");
  }

  public static Column matches(
      Column value, Column pattern, String escape, boolean ci, boolean negated) {
    throw new IllegalStateException("like");
  }
}
