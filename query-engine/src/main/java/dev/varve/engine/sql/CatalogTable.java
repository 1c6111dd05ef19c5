package dev.varve.engine.sql;

import dev.varve.engine.source.SourceTable;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.jspecify.annotations.Nullable;

/**
 * A source table as Calcite sees it in one statement. Unwraps to {@link SourceTable} and to its
 * {@link TableEstimates}.
 */
public final class CatalogTable extends CatalogRelation {
  private final SourceTable source;
  private final TableEstimates estimates;

  CatalogTable(List<String> name, SourceTable source) {
    super(name, source.schema());
    this.source = source;
    this.estimates = new TableEstimates(source.schema(), source.statistics());
  }

  public SourceTable source() {
    return source;
  }

  public TableEstimates estimates() {
    return estimates;
  }

  @Override
  public <C> @Nullable C unwrap(Class<C> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    if (type.isInstance(source)) {
      return type.cast(source);
    }
    return type.isInstance(estimates) ? type.cast(estimates) : null;
  }

  @Override
  public double getRowCount() {
    return estimates.rows();
  }

  @Override
  public RelNode toRel(ToRelContext context) {
    return LogicalTableScan.create(context.getCluster(), this, context.getTableHints());
  }
}
