package dev.varve.engine.logical;

import dev.varve.engine.sql.CatalogTable;
import java.util.Objects;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.util.Sarg;
import org.jspecify.annotations.Nullable;

/** Logical plans that outlive their statement. */
public final class KeptPlan {
  private static final long BYTES_PER_NODE = 1_200;
  private static final long BYTES_PER_COLUMN = 100;
  private static final long BYTES_PER_EXPRESSION = 120;

  private KeptPlan() {}

  /** The same plan, holding nothing of the snapshots that its tables had. */
  public static LogicalPlan of(LogicalPlan plan) {
    RelNode root =
        PlanTree.rewrite(
            plan.root(),
            node ->
                node instanceof TableScan scan
                    ? LogicalTableScan.create(
                        scan.getCluster(),
                        Objects.requireNonNull(scan.getTable().unwrap(CatalogTable.class))
                            .withoutSource(),
                        scan.getHints())
                    : node);
    root.getCluster().invalidateMetadataQuery();
    return new LogicalPlan(root, plan.schema(), plan.parameters());
  }

  /** About the heap that a plan holds. */
  public static long bytes(LogicalPlan plan) {
    Size size = new Size();
    size.go(plan.root());
    return size.bytes;
  }

  private static final class Size extends RelVisitor {
    private long bytes;

    private final RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitLiteral(RexLiteral literal) {
            bytes += BYTES_PER_EXPRESSION;
            if (literal.getValue() instanceof Sarg<?> sarg) {
              bytes += sarg.rangeSet.asRanges().size() * BYTES_PER_EXPRESSION;
            }
            return literal;
          }

          @Override
          public RexNode visitCall(RexCall call) {
            bytes += BYTES_PER_EXPRESSION;
            return super.visitCall(call);
          }
        };

    @Override
    public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
      bytes += BYTES_PER_NODE + node.getRowType().getFieldCount() * BYTES_PER_COLUMN;
      if (node instanceof Values values) {
        bytes +=
            values.getTuples().size()
                * (long) values.getRowType().getFieldCount()
                * BYTES_PER_EXPRESSION;
      }
      node.accept(expressions);
      super.visit(node, ordinal, parent);
    }
  }
}
