package dev.varve.engine.logical;

import dev.varve.engine.sql.QueryValidator;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCostImpl;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.metadata.RelMetadataQueryBase;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/** From a validated query to algebra with its sub-queries still inside expressions. */
final class AlgebraConverter {
  /**
   * Projections are not merged while they are built: that would evaluate a volatile function once
   * for each reference to its column. {@link Rules#MERGE_PROJECTS} knows when it is safe.
   */
  static final RelBuilder.Config BUILDER_CONFIG =
      RelBuilder.Config.DEFAULT.withBloat(-1).withSimplify(true);

  private static final RelBuilderFactory SIMPLIFYING =
      RelBuilder.proto(Contexts.of(BUILDER_CONFIG));

  private static final RelBuilderFactory PLAIN =
      RelBuilder.proto(Contexts.of(BUILDER_CONFIG.withSimplify(false)));

  /** Simplifies what is built, but not in statements with {@link LongConditions}. */
  static final RelBuilderFactory BUILDER =
      (cluster, schema) ->
          (cluster.getRexBuilder() instanceof InterruptibleRexBuilder rex && rex.isForLong()
                  ? PLAIN
                  : SIMPLIFYING)
              .create(cluster, schema);

  private static final SqlToRelConverter.Config CONFIG =
      SqlToRelConverter.config()
          .withExpand(false)
          .withTrimUnusedFields(false)
          .withDecorrelationEnabled(false)
          .withInSubQueryThreshold(Integer.MAX_VALUE)
          .withRemoveSortInSubQuery(true)
          .withRelBuilderFactory(RelFactories.LOGICAL_BUILDER)
          .withRelBuilderConfigTransform(config -> config.withBloat(-1).withSimplify(false));

  private AlgebraConverter() {}

  static RelRoot convert(
      QueryValidator.Validated validated, RexExecutor executor, ViewExpansion.Source views) {
    HepPlanner planner =
        new HepPlanner(HepProgram.builder().build(), null, true, null, RelOptCostImpl.FACTORY);
    planner.setExecutor(executor);
    RelOptCluster cluster =
        RelOptCluster.create(planner, new InterruptibleRexBuilder(validated.tables()::checkpoint));
    useEstimates(cluster);
    return convert(validated, cluster, new ViewExpansion(cluster, views));
  }

  /** Into a cluster that is there: a view's query becomes a part of the one that names it. */
  static RelRoot convert(
      QueryValidator.Validated validated, RelOptCluster cluster, ViewExpansion views) {
    SqlToRelConverter converter =
        new SqlToRelConverter(
            views,
            validated.validator(),
            validated.catalog(),
            cluster,
            VolatileBetween.CONVERTLETS,
            CONFIG);
    RelRoot root = converter.convertQuery(validated.query(), false, true);
    return root.withRel(GroupedReferences.place(root.rel));
  }

  private static void useEstimates(RelOptCluster cluster) {
    JaninoRelMetadataProvider provider = RelEstimates.PROVIDER;
    cluster.setMetadataProvider(provider);
    cluster.setMetadataQuerySupplier(
        () -> {
          RelMetadataQueryBase.THREAD_PROVIDERS.set(provider);
          return RelMetadataQuery.instance();
        });
  }

  static RelBuilder builder(RelOptCluster cluster) {
    return BUILDER.create(cluster, null);
  }
}
