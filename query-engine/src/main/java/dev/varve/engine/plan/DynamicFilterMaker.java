package dev.varve.engine.plan;

import java.util.List;

/**
 * The capability of a node that finds out, while it runs, which rows of one of its children it has
 * no use for: a join that has read its build side. The filters are carried towards the data before
 * the plan runs, and get their content then. A node that makes filters no longer changes what they
 * are about: which child is built and which is probed must have been decided.
 */
public interface DynamicFilterMaker {

  /** The child whose rows the filters are about. */
  int filteredChild();

  /** New filters over that child's columns; none if the node needs all of its rows. */
  List<DynamicFilter> offeredFilters();

  /** This node over a child in which {@code taken} of the offered filters will be asked. */
  PhysicalPlan makingFilters(PhysicalPlan child, List<DynamicFilter> taken);
}
