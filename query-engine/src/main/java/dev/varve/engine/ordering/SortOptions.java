package dev.varve.engine.ordering;

/** Direction and null position of one sort key. */
public record SortOptions(boolean descending, boolean nullsFirst) {
  /** PostgreSQL's default: ascending, nulls last. */
  public static final SortOptions ASC = new SortOptions(false, false);

  /** PostgreSQL's default for DESC: nulls first. */
  public static final SortOptions DESC = new SortOptions(true, true);

  public SortOptions reversed() {
    return new SortOptions(!descending, !nullsFirst);
  }

  @Override
  public String toString() {
    return (descending ? "DESC" : "ASC")
        + (nullsFirst == descending ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST");
  }
}
