package dev.varve.engine.physical;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.logical.GroupLimit;
import dev.varve.engine.operator.FilterExec;
import dev.varve.engine.operator.GlobalLimitExec;
import dev.varve.engine.operator.GroupLimitExec;
import dev.varve.engine.operator.ProjectionExec;
import dev.varve.engine.operator.SortExec;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.jspecify.annotations.Nullable;

/**
 * Translates an optimized logical plan, one relational operator to one or a few nodes, with no
 * exchange and no sort but those the query asks for. Safe for concurrent use.
 */
public final class PhysicalPlanner {

  /** The plan has the columns of {@code optimized}, by position and type. */
  public PhysicalPlan plan(RelNode optimized, Settings settings, PlanningContext context) {
    return new Translation(settings, context).plan(optimized);
  }

  /** One translation; what the planners of single operators share. */
  static final class Translation {
    private final Settings settings;
    private final PlanningContext context;

    Translation(Settings settings, PlanningContext context) {
      this.settings = settings;
      this.context = context;
    }

    Settings settings() {
      return settings;
    }

    PhysicalPlan plan(RelNode node) {
      return switch (node) {
        case TableScan scan -> scan(scan);
        case Filter filter -> filter(filter);
        case Project project -> project(project);
        case Aggregate aggregate -> new AggregatePlanner(this).plan(aggregate);
        case Join join -> new JoinPlanner(this).plan(join);
        case Sort sort -> sort(sort);
        case GroupLimit limit -> groupLimit(limit);
        case Union union -> SetOperations.union(this, union);
        case Intersect intersect -> SetOperations.intersect(this, intersect);
        case Minus minus -> SetOperations.minus(this, minus);
        case Values values -> ValuesPlanner.plan(this, values);
        case Window window -> throw unsupported("a window function");
        default ->
            throw new IllegalStateException("the logical plan has a " + node.getRelTypeName());
      };
    }

    PhysicalExpr expression(RexNode node, Schema input) {
      PhysicalExpr translated = context.expressions().translate(node, input);
      return ExecutionConstants.mayBeIn(node)
          ? ExecutionConstants.bind(translated, context.eval())
          : translated;
    }

    private PhysicalPlan scan(TableScan scan) {
      int columns = scan.getRowType().getFieldCount();
      return context
          .tables()
          .bind(scan.getTable())
          .scan(new ScanRequest(IntStream.range(0, columns).boxed().toList(), settings));
    }

    private PhysicalPlan filter(Filter filter) {
      if (RexOver.containsOver(filter.getCondition())) {
        throw unsupported("a window function");
      }
      PhysicalPlan input = plan(filter.getInput());
      return filtered(input, expression(filter.getCondition(), input.schema()));
    }

    PhysicalPlan filtered(PhysicalPlan input, PhysicalExpr condition) {
      return Exprs.isTrue(condition)
          ? input
          : new FilterExec(
              input, condition, settings.get(EngineSettings.DEFAULT_FILTER_SELECTIVITY));
    }

    private PhysicalPlan project(Project project) {
      if (project.containsOver()) {
        throw unsupported("a window function");
      }
      PhysicalPlan input = plan(project.getInput());
      List<NamedExpr> expressions = new ArrayList<>();
      List<String> names = project.getRowType().getFieldNames();
      for (int i = 0; i < names.size(); i++) {
        expressions.add(
            new NamedExpr(expression(project.getProjects().get(i), input.schema()), names.get(i)));
      }
      return new ProjectionExec(input, expressions);
    }

    private PhysicalPlan sort(Sort sort) {
      PhysicalPlan input = plan(sort.getInput());
      PhysicalPlan sorted =
          SortKeys.of(sort.getCollation(), input.schema())
              .<PhysicalPlan>map(o -> new SortExec(input, o, OptionalLong.empty(), false))
              .orElse(input);
      long skip = rows(sort.offset, 0);
      return sort.offset == null && sort.fetch == null
          ? sorted
          : new GlobalLimitExec(
              sorted,
              skip,
              sort.fetch == null ? OptionalLong.empty() : OptionalLong.of(rows(sort.fetch, 0)));
    }

    private PhysicalPlan groupLimit(GroupLimit limit) {
      PhysicalPlan input = plan(limit.getInput());
      List<SortExpr> keys = new ArrayList<>();
      for (int key : limit.keys()) {
        keys.add(new SortExpr(ColumnExpr.of(input.schema(), key), SortOptions.ASC));
      }
      return new GroupLimitExec(
          input,
          keys,
          SortKeys.of(limit.order(), input.schema()).map(LexOrdering::keys).orElse(List.of()),
          rows(limit.offset(), 0),
          limit.fetch() == null ? OptionalLong.empty() : OptionalLong.of(rows(limit.fetch(), 0)));
    }

    private long rows(@Nullable RexNode count, long absent) {
      if (count == null) {
        return absent;
      }
      PhysicalExpr constant = Literals.cast(expression(count, Schema.EMPTY), DataType.BIGINT);
      if (!(constant instanceof LiteralExpr literal)) {
        throw new VarveException(
            ErrorCode.FEATURE_NOT_SUPPORTED, "LIMIT and OFFSET must be constants, not " + count);
      }
      Long value = (Long) literal.value();
      if (value == null || value < 0) {
        throw new VarveException(
            ErrorCode.INVALID_PARAMETER, "LIMIT and OFFSET must not be negative or null");
      }
      return value;
    }

    static VarveException unsupported(String what) {
      return new VarveException(ErrorCode.FEATURE_NOT_SUPPORTED, what + " is not supported");
    }
  }
}
