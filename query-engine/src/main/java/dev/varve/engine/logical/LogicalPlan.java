package dev.varve.engine.logical;

import dev.varve.engine.type.Schema;
import org.apache.calcite.rel.RelNode;

/**
 * An optimised plan and what it answers. The plan's leaves are {@link
 * org.apache.calcite.rel.core.TableScan}s whose table unwraps to {@link
 * dev.varve.engine.source.SourceTable}, {@link org.apache.calcite.rel.core.Values} and nothing
 * else; it has no Correlate and no sub-query. The schema's names are the query's column names; the
 * plan's own field names may differ.
 */
public record LogicalPlan(RelNode root, Schema schema) {}
