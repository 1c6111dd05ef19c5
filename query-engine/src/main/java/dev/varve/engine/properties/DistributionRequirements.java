package dev.varve.engine.properties;

import java.util.List;

/**
 * What a node requires of each child, and whether the children must be divided alike: partition i
 * of each holding the same keys, their {@link Distribution.KeyPartitioned} keys corresponding
 * pairwise.
 */
public record DistributionRequirements(List<Distribution> children, boolean coPartitioned) {
  public DistributionRequirements {
    children = List.copyOf(children);
  }

  public static DistributionRequirements of(Distribution... children) {
    return new DistributionRequirements(List.of(children), false);
  }

  public static DistributionRequirements coPartitioned(Distribution... children) {
    return new DistributionRequirements(List.of(children), true);
  }
}
