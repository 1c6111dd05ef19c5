package dev.varve.writer.maintain;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.NameResolver;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.Procedure;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.upkeep.LakeUpkeep;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL system.remove_orphan_files(table => 's.t', older_than => '3 days', dry_run => true)}.
 * Without a table it looks at unfinished uploads and dropped tables only, and lists no folder. Safe
 * for concurrent use.
 */
public final class RemoveOrphanFilesProcedure implements Procedure {
  private static final String DEFAULT_AGE = "3 days";

  private static final List<Field> PARAMETERS =
      List.of(
          Field.of("table", DataType.VARCHAR, true),
          Field.of("older_than", DataType.VARCHAR, true),
          Field.of("dry_run", DataType.BOOLEAN, true));

  private final LakeUpkeep upkeep;
  private final Clock clock;
  private final String catalog;

  /**
   * @param catalog whose files these are
   */
  public RemoveOrphanFilesProcedure(LakeUpkeep upkeep, Clock clock, String catalog) {
    this.upkeep = upkeep;
    this.clock = clock;
    this.catalog = catalog;
  }

  @Override
  public String name() {
    return "remove_orphan_files";
  }

  @Override
  public List<Field> parameters() {
    return PARAMETERS;
  }

  @Override
  public Schema resultSchema() {
    return Findings.SCHEMA;
  }

  @Override
  public List<AccessControl.Access> accesses(List<@Nullable Object> arguments, NameResolver names) {
    return List.of(
        new AccessControl.Access(
            AccessControl.Privilege.MAINTAIN,
            arguments.get(0) instanceof String table
                ? names.resolve(table)
                : ObjectName.catalog(catalog)));
  }

  @Override
  public Batch call(List<@Nullable Object> arguments, ProcedureContext context) {
    Optional<String> table =
        arguments.get(0) instanceof String name
            ? Optional.of(context.load(context.resolve(name)).uuid().toString())
            : Optional.empty();
    String age = arguments.get(1) instanceof String text ? text : DEFAULT_AGE;
    Instant olderThan = AgeLimit.parse(age, clock.instant());
    boolean dryRun = Boolean.TRUE.equals(arguments.get(2));
    return Findings.toBatch(
        context.blocking(
            () -> upkeep.removeOrphanFiles(table, olderThan, dryRun, context::checkCanceled)));
  }
}
