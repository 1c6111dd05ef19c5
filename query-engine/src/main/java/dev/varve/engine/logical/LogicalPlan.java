package dev.varve.engine.logical;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * An optimised plan and what it answers. The plan's leaves are {@link
 * org.apache.calcite.rel.core.TableScan}s whose table's qualified name {@link
 * dev.varve.engine.sql.CatalogTable#resolve} knows, {@link org.apache.calcite.rel.core.Values} and
 * nothing else; it has no Correlate and no sub-query. The schema's names are the query's column
 * names; the plan's own field names may differ.
 *
 * @param parameters the types of the parameters whose values the plan has places for
 */
public record LogicalPlan(RelNode root, Schema schema, List<DataType> parameters) {
  public LogicalPlan {
    parameters = List.copyOf(parameters);
  }
}
