package dev.varve.engine.sql;

import dev.varve.engine.source.SourceTable;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/**
 * A source table as Calcite sees it. While a statement is planned it unwraps to its {@link
 * TableEstimates}; in a plan that is kept it is only a name and columns. What is read is bound at
 * each execution.
 */
public final class CatalogTable extends CatalogRelation {
  private final @Nullable SourceTable source;
  private final @Nullable TableEstimates estimates;

  CatalogTable(List<String> name, SourceTable source) {
    this(
        name,
        CalciteTypes.rowType(source.schema()),
        source,
        new TableEstimates(source.schema(), source.statistics()));
  }

  private CatalogTable(
      List<String> name,
      RelDataType rowType,
      @Nullable SourceTable source,
      @Nullable TableEstimates estimates) {
    super(name, rowType);
    this.source = source;
    this.estimates = estimates;
  }

  /** The same name and columns, without what belongs to one snapshot. */
  public CatalogTable withoutSource() {
    return new CatalogTable(getQualifiedName(), getRowType(), null, null);
  }

  /** What a qualified name in a plan stands for in a statement. */
  public static SourceTable resolve(List<String> qualifiedName, SchemaResolver tables) {
    return FileReference.path(qualifiedName)
        .map(tables::files)
        .or(() -> tables.table(qualifiedName.get(0), qualifiedName.get(1), qualifiedName.get(2)))
        .orElseThrow(
            () -> new IllegalStateException(qualifiedName + " is in the plan and not found"));
  }

  @Override
  public <C> @Nullable C unwrap(Class<C> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    if (source != null && type.isInstance(source)) {
      return type.cast(source);
    }
    return estimates != null && type.isInstance(estimates) ? type.cast(estimates) : null;
  }

  @Override
  public double getRowCount() {
    return estimates == null ? 1 : estimates.rows();
  }

  @Override
  public RelNode toRel(ToRelContext context) {
    return LogicalTableScan.create(context.getCluster(), this, context.getTableHints());
  }
}
