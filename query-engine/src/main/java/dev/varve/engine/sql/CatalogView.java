package dev.varve.engine.sql;

import dev.varve.engine.source.ViewDefinition;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/** A view as Calcite sees it in one statement: its query stands wherever it is named. */
final class CatalogView extends CatalogRelation {
  private final ViewDefinition definition;

  CatalogView(List<String> name, ViewDefinition definition) {
    super(name, CalciteTypes.rowType(definition.columns()));
    this.definition = definition;
  }

  @Override
  public <C> @Nullable C unwrap(Class<C> type) {
    return type.isInstance(this) ? type.cast(this) : null;
  }

  /** Nobody asks: no plan has a view in it. */
  @Override
  public double getRowCount() {
    return 1;
  }

  @Override
  public RelNode toRel(ToRelContext context) {
    return context.expandView(
            getRowType(),
            definition.sql(),
            List.of(definition.catalog(), definition.schema()),
            getQualifiedName())
        .rel;
  }
}
