package dev.varve.engine.physical;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.config.Settings;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.function.FunctionRegistry;
import dev.varve.engine.function.VarveOperatorTable;
import dev.varve.engine.logical.LogicalPlanner;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.sql.SchemaResolver;
import dev.varve.engine.sql.SqlFrontEnd;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;

/** SQL expressions through the whole front end, evaluated over a table {@code t} in memory. */
public final class Expressions {
  public static final EvalContext CONTEXT =
      new EvalContext(1_700_000_000_123_456L, ZoneOffset.UTC, "ada", "lake", "public");

  private static final RexTranslator TRANSLATOR =
      new RexTranslator(FunctionRegistry.standard(), List.of());
  private static final SqlFrontEnd FRONT_END = new SqlFrontEnd();

  private final Batch table;
  private final LogicalPlanner planner;

  private Expressions(Batch table, RexExecutor executor) {
    this.table = table;
    this.planner = new LogicalPlanner(VarveOperatorTable.standard(), executor);
  }

  /** Constants are folded while planning. */
  public static Expressions folding(Batch table) {
    return new Expressions(table, new EngineRexExecutor(TRANSLATOR));
  }

  /** Constants are left to the evaluation. */
  public static Expressions unfolded(Batch table) {
    return new Expressions(table, (builder, expressions, reduced) -> reduced.addAll(expressions));
  }

  /** The one output expression of a query over {@code t} or over nothing. */
  public PhysicalExpr plan(String expression, boolean overTable) {
    String sql = "select " + expression + (overTable ? " from t" : "");
    Statement.Query query = (Statement.Query) FRONT_END.parse(sql);
    RelNode root = planner.plan(query.query(), new OneTable(), List.of(), Settings.DEFAULTS).root();
    return switch (root) {
      case Project project -> {
        Schema input = schema(project.getInput());
        yield TRANSLATOR.translate(project.getProjects().get(0), input);
      }
      case Values values -> TRANSLATOR.translate(values.tuples.get(0).get(0), Schema.EMPTY);
      case TableScan scan -> TRANSLATOR.translate(reference(scan), table.schema());
      default -> throw new IllegalStateException("plan of " + sql + ": " + root);
    };
  }

  private static RexNode reference(TableScan scan) {
    return scan.getCluster()
        .getRexBuilder()
        .makeInputRef(scan.getRowType().getFieldList().get(0).getType(), 0);
  }

  private Schema schema(RelNode input) {
    if (input instanceof Values) {
      return Schema.EMPTY;
    }
    List<Field> fields = new ArrayList<>();
    for (String name : input.getRowType().getFieldNames()) {
      fields.add(table.schema().field(table.schema().indexOf(name)));
    }
    return new Schema(fields);
  }

  /** The value of a constant expression, as one row. */
  public LiteralExpr value(String expression) {
    PhysicalExpr expr = plan(expression, false);
    Column column = expr.evaluate(new Batch(Schema.EMPTY, List.of(), 1), CONTEXT);
    return LiteralExpr.of(column, 0);
  }

  private final class OneTable implements SchemaResolver {
    @Override
    public String catalog() {
      return "lake";
    }

    @Override
    public String schema() {
      return "public";
    }

    @Override
    public Optional<SourceTable> table(String catalog, String schema, String name) {
      return name.equals("t") ? Optional.of(new Memory(table.schema())) : Optional.empty();
    }

    @Override
    public SourceTable files(String pattern) {
      throw new UnsupportedOperationException(pattern);
    }

    @Override
    public List<String> catalogs() {
      return List.of("lake");
    }

    @Override
    public List<String> schemas(String catalog) {
      return List.of("public");
    }

    @Override
    public List<String> tables(String catalog, String schema) {
      return List.of("t");
    }
  }

  private record Memory(Schema schema) implements SourceTable {
    @Override
    public Statistics statistics() {
      return Statistics.unknown(schema);
    }

    @Override
    public PhysicalPlan scan(ScanRequest request) {
      throw new UnsupportedOperationException("rows are evaluated by the test");
    }
  }
}
