package dev.varve.engine.sql;

import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/** Which liberties of SQL dialects are taken. */
final class VarveConformance extends SqlDelegatingConformance {
  static final VarveConformance INSTANCE = new VarveConformance();

  private VarveConformance() {
    super(SqlConformanceEnum.BABEL);
  }

  /**
   * An alias of the select list is not visible beside it: otherwise an unknown column is reported
   * as one that depends on itself.
   */
  @Override
  public SelectAliasLookup isSelectAlias() {
    return SelectAliasLookup.UNSUPPORTED;
  }

  /** VALUE is an ordinary name, not another word for VALUES. */
  @Override
  public boolean isValueAllowed() {
    return false;
  }

  /** A column that is neither grouped nor aggregated is an error, not any of its values. */
  @Override
  public boolean isNonStrictGroupBy() {
    return false;
  }

  /** LIMIT start, count is MySQL's. */
  @Override
  public boolean isLimitStartCountAllowed() {
    return false;
  }

  /** % is the remainder. */
  @Override
  public boolean isPercentRemainderAllowed() {
    return true;
  }

  @Override
  public boolean isBangEqualAllowed() {
    return true;
  }

  @Override
  public boolean isOffsetLimitAllowed() {
    return true;
  }
}
