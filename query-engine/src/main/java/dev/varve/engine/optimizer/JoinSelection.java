package dev.varve.engine.optimizer;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.PlanTransform;
import dev.varve.engine.plan.SwappableJoin;
import dev.varve.engine.plan.SwappableJoin.BuildMode;
import dev.varve.engine.properties.Statistics;
import java.util.Optional;

/**
 * Builds joins from the smaller side, collected into one partition if it is small.
 *
 * <pre>{@code
 * HashJoinExec: PARTITIONED                   ProjectionExec: columns as before
 *   DataSourceExec: 10 GB              =>       HashJoinExec: COLLECT_LEFT
 *   DataSourceExec: 1 KB                          DataSourceExec: 1 KB
 *                                                 DataSourceExec: 10 GB
 * }</pre>
 *
 * Sound because the join turns itself over. Sizes are compared in bytes, which is what has to fit
 * into memory, or in rows where bytes are not known of both; where neither is, the sides stay, and
 * the join is partitioned. A side is collected if its bytes, or where they are unknown its rows,
 * are under the threshold.
 */
final class JoinSelection implements PhysicalRule {

  @Override
  public PhysicalPlan apply(PhysicalPlan plan, Settings settings) {
    return PlanTransform.bottomUp(plan, node -> select(node, settings));
  }

  private static PhysicalPlan select(PhysicalPlan plan, Settings settings) {
    Optional<SwappableJoin> join = plan.capability(SwappableJoin.class);
    if (join.isEmpty()) {
      return plan;
    }
    Statistics left = plan.children().get(0).statistics();
    Statistics right = plan.children().get(1).statistics();
    boolean leftIsLarger = isLarger(left, right);
    boolean leftIsSmall = isSmall(left, settings);
    boolean rightIsSmall = isSmall(right, settings);
    boolean swap =
        join.get().canSwap() && (leftIsSmall == rightIsSmall ? leftIsLarger : rightIsSmall);
    BuildMode mode =
        (swap ? rightIsSmall : leftIsSmall) || settings.targetPartitions() == 1
            ? BuildMode.COLLECTED
            : BuildMode.PARTITIONED;
    PhysicalPlan shared = join.get().withBuildMode(mode).orElse(plan);
    return swap ? shared.capability(SwappableJoin.class).orElseThrow().swapped() : shared;
  }

  private static boolean isLarger(Statistics left, Statistics right) {
    Optional<Long> leftBytes = left.totalBytes().known();
    Optional<Long> rightBytes = right.totalBytes().known();
    if (leftBytes.isPresent() && rightBytes.isPresent()) {
      return leftBytes.get() > rightBytes.get();
    }
    Optional<Long> leftRows = left.rowCount().known();
    Optional<Long> rightRows = right.rowCount().known();
    return leftRows.isPresent() && rightRows.isPresent() && leftRows.get() > rightRows.get();
  }

  private static boolean isSmall(Statistics side, Settings settings) {
    Optional<Long> bytes = side.totalBytes().known();
    if (bytes.isPresent()) {
      return bytes.get() < settings.get(EngineSettings.COLLECT_BUILD_BYTES);
    }
    Optional<Long> rows = side.rowCount().known();
    return rows.isPresent() && rows.get() < settings.get(EngineSettings.COLLECT_BUILD_ROWS);
  }
}
