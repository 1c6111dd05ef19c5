package dev.varve.layout;

/**
 * How we know that a file has an ordering. Only {@link #VERIFIED} may delete a sort; {@link
 * #ASSERTED} may steer; {@link #VIOLATED} is known to be false.
 */
public enum Trust {
  ASSERTED,
  VERIFIED,
  VIOLATED
}
