package dev.varve.writer.analyze;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.NameResolver;
import dev.varve.engine.port.Procedure;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code ANALYZE s.t}, or {@code CALL system.analyze('s.t')}: one row for each column, with its
 * number of distinct values. Safe for concurrent use.
 */
public final class AnalyzeProcedure implements Procedure {
  private static final List<Field> PARAMETERS = List.of(Field.of("table", DataType.VARCHAR, false));

  @Override
  public String name() {
    return "analyze";
  }

  @Override
  public List<Field> parameters() {
    return PARAMETERS;
  }

  @Override
  public Schema resultSchema() {
    return Analysis.SCHEMA;
  }

  @Override
  public List<AccessControl.Access> accesses(List<@Nullable Object> arguments, NameResolver names) {
    return List.of(
        new AccessControl.Access(
            AccessControl.Privilege.MAINTAIN, names.resolve(String.valueOf(arguments.get(0)))));
  }

  @Override
  public Batch call(List<@Nullable Object> arguments, ProcedureContext context) {
    return new Analysis(context, context.load(context.resolve(String.valueOf(arguments.get(0)))))
        .run();
  }
}
