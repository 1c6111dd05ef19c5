package dev.varve.engine.port;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something {@code CALL system.name(arguments)} runs; the writer implements the maintenance
 * procedures.
 */
public interface Procedure {
  String name();

  /** Names and types, in positional order; a nullable one may be left out. */
  List<Field> parameters();

  Schema resultSchema();

  /** The accesses to check for these arguments. */
  List<AccessControl.Access> accesses(List<@Nullable Object> arguments, NameResolver names);

  /**
   * Runs to its end and answers a few rows. Arguments are as {@link
   * dev.varve.engine.batch.Column#value} gives them.
   */
  Batch call(List<@Nullable Object> arguments, ProcedureContext context);
}
