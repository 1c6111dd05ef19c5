package dev.varve.writer.maintain;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.NameResolver;
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
import java.util.OptionalInt;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL system.expire_snapshots(table => 's.t', older_than => '3 days', retain_last => 10,
 * dry_run => true)}. Safe for concurrent use.
 */
public final class ExpireSnapshotsProcedure implements Procedure {
  private static final List<Field> PARAMETERS =
      List.of(
          Field.of("table", DataType.VARCHAR, false),
          Field.of("older_than", DataType.VARCHAR, true),
          Field.of("retain_last", DataType.INTEGER, true),
          Field.of("dry_run", DataType.BOOLEAN, true));

  private final LakeUpkeep upkeep;
  private final Clock clock;

  public ExpireSnapshotsProcedure(LakeUpkeep upkeep, Clock clock) {
    this.upkeep = upkeep;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "expire_snapshots";
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
            AccessControl.Privilege.MAINTAIN, names.resolve(String.valueOf(arguments.get(0)))));
  }

  @Override
  public Batch call(List<@Nullable Object> arguments, ProcedureContext context) {
    Table table = context.load(context.resolve(String.valueOf(arguments.get(0))));
    Optional<Instant> olderThan =
        arguments.get(1) instanceof String text
            ? Optional.of(AgeLimit.parse(text, clock.instant()))
            : Optional.empty();
    OptionalInt retainLast =
        arguments.get(2) instanceof Integer last ? OptionalInt.of(last) : OptionalInt.empty();
    boolean dryRun = Boolean.TRUE.equals(arguments.get(3));
    return Findings.toBatch(
        context.blocking(
            () ->
                upkeep.expireSnapshots(
                    table.uuid().toString(),
                    olderThan,
                    retainLast,
                    dryRun,
                    context::checkCanceled)));
  }
}
