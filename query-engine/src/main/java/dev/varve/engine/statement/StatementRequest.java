package dev.varve.engine.statement;

import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.port.Principal;
import dev.varve.engine.runtime.Cancellation;
import dev.varve.layout.upkeep.SnapshotPins;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A statement to be planned.
 *
 * @param parameters values of its parameters
 * @param prepared whether it was prepared: then the parameters have the types that the statement
 *     gives them, and the values are converted; otherwise the values stand there as literals would
 * @param eval what its stable functions will see
 * @param cancellation ends planning too
 * @param closeAtEnd takes what is to be closed when the statement has ended
 */
public record StatementRequest(
    String sql,
    Principal principal,
    SessionState session,
    List<@Nullable Object> parameters,
    boolean prepared,
    EvalContext eval,
    Cancellation cancellation,
    Consumer<SnapshotPins.Pin> closeAtEnd) {
  public StatementRequest {
    parameters = new ArrayList<>(parameters);
  }

  /** The same statement in another catalog and schema. */
  StatementRequest within(SessionState place) {
    return new StatementRequest(
        sql, principal, place, parameters, prepared, eval, cancellation, closeAtEnd);
  }
}
