package dev.varve.writer.verify;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.NameResolver;
import dev.varve.engine.port.Procedure;
import dev.varve.engine.port.ProcedureContext;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * {@code CALL system.verify_order('s.t')}: reads the key columns of files whose order is only
 * asserted, and of files of an ordered table of which nothing is known, and records what their rows
 * show. {@code ordering => 'k, v DESC'} checks that order instead, {@code files => '%/2026/%'} only
 * files whose path is like that, {@code recheck => true} also what was checked before, {@code
 * bytes_per_second} slows down.
 *
 * <p>One row per file and ordering that was checked, and one for those that needed no check. Safe
 * for concurrent use.
 */
public final class VerifyOrderProcedure implements Procedure {
  private static final List<Field> PARAMETERS =
      List.of(
          Field.of("table", DataType.VARCHAR, false),
          Field.of("ordering", DataType.VARCHAR, true),
          Field.of("files", DataType.VARCHAR, true),
          Field.of("recheck", DataType.BOOLEAN, true),
          Field.of("bytes_per_second", DataType.BIGINT, true));

  /** What to check of a table. */
  record Options(
      Optional<String> ordering,
      Optional<PathPattern> files,
      boolean recheck,
      OptionalLong bytesPerSecond) {}

  @Override
  public String name() {
    return "verify_order";
  }

  @Override
  public List<Field> parameters() {
    return PARAMETERS;
  }

  @Override
  public Schema resultSchema() {
    return VerificationReport.SCHEMA;
  }

  @Override
  public List<AccessControl.Access> accesses(List<@Nullable Object> arguments, NameResolver names) {
    return List.of(
        new AccessControl.Access(
            AccessControl.Privilege.MAINTAIN, names.resolve(String.valueOf(arguments.get(0)))));
  }

  @Override
  public Batch call(List<@Nullable Object> arguments, ProcedureContext context) {
    Options options =
        new Options(
            Optional.ofNullable((String) arguments.get(1)),
            Optional.ofNullable((String) arguments.get(2)).map(PathPattern::new),
            Boolean.TRUE.equals(arguments.get(3)),
            rate((Long) arguments.get(4)));
    return new OrderVerification(
            context, context.load(context.resolve(String.valueOf(arguments.get(0)))), options)
        .run();
  }

  private static OptionalLong rate(@Nullable Long bytesPerSecond) {
    if (bytesPerSecond == null) {
      return OptionalLong.empty();
    }
    if (bytesPerSecond < 1) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "argument 'bytes_per_second' is " + bytesPerSecond + ", not a positive number");
    }
    return OptionalLong.of(bytesPerSecond);
  }
}
