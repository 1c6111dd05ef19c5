package dev.varve.writer.compact;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.NameResolver;
import dev.varve.engine.port.Procedure;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.upkeep.UploadLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL system.compact('lake.s.t')}, or with options {@code CALL system.compact('lake.s.t',
 * 'min_file_bytes = 32MB, target_file_bytes = 128MB')}.
 *
 * <p>One row per set of files that was rewritten, and one per reason to leave files alone: the
 * files before and after add up to the table's. Safe for concurrent use.
 */
public final class CompactProcedure implements Procedure {
  private static final List<Field> PARAMETERS =
      List.of(
          Field.of("table", DataType.VARCHAR, false), Field.of("options", DataType.VARCHAR, true));

  private final UploadLog uploads;

  public CompactProcedure() {
    this(UploadLog.none());
  }

  /**
   * @param uploads told of every file before it is written
   */
  public CompactProcedure(UploadLog uploads) {
    this.uploads = uploads;
  }

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
    return CompactionReport.SCHEMA;
  }

  @Override
  public List<AccessControl.Access> accesses(List<@Nullable Object> arguments, NameResolver names) {
    return List.of(
        new AccessControl.Access(
            AccessControl.Privilege.MAINTAIN, names.resolve(String.valueOf(arguments.get(0)))));
  }

  @Override
  public Batch call(List<@Nullable Object> arguments, ProcedureContext context) {
    Object options = arguments.size() > 1 ? arguments.get(1) : null;
    return new Compaction(
            context,
            context.load(context.resolve(String.valueOf(arguments.get(0)))),
            options == null ? "" : (String) options,
            uploads)
        .run();
  }
}
