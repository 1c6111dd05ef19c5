package dev.varve.writer.compact;

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

/** {@code CALL system.compact('lake.s.t')}. Safe for concurrent use. */
public final class CompactProcedure implements Procedure {
  private static final List<Field> PARAMETERS =
      List.of(
          Field.of("table", DataType.VARCHAR, false), Field.of("options", DataType.VARCHAR, true));
  private static final Schema RESULT =
      Schema.of(
          Field.of("files_before", DataType.BIGINT, false),
          Field.of("files_after", DataType.BIGINT, false),
          Field.of("rows", DataType.BIGINT, false),
          Field.of("bytes_read", DataType.BIGINT, false),
          Field.of("bytes_written", DataType.BIGINT, false),
          Field.of("overlap_depth_before", DataType.BIGINT, false),
          Field.of("overlap_depth_after", DataType.BIGINT, false),
          Field.of("sorted", DataType.BOOLEAN, false),
          Field.of("reason", DataType.VARCHAR, false));

  @Override
  public String name() {
    return "compact";
  }

  @Override
  public List<Field> parameters() {
    return PARAMETERS;
  }

  @Override
  public Schema resultSchema() {
    return RESULT;
  }

  @Override
  public List<AccessControl.Access> accesses(
      List<@Nullable Object> arguments, NameResolver names) {
    return List.of(
        new AccessControl.Access(
            AccessControl.Privilege.MAINTAIN, names.resolve(String.valueOf(arguments.get(0)))));
  }

  @Override
  public Batch call(List<@Nullable Object> arguments, ProcedureContext context) {
    throw new IllegalStateException("not wired yet");
  }
}
