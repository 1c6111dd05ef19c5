package dev.varve.engine;

import dev.varve.engine.config.Settings;
import dev.varve.engine.port.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One client's state. A statement started here sees the state of that moment. Safe for concurrent
 * use.
 */
public interface Session {
  Principal principal();

  String catalog();

  String schema();

  Settings settings();

  /**
   * Starts one statement and returns at once; parsing and planning happen in the query. Parameters
   * ({@code ?}) are Java objects as {@link dev.varve.engine.batch.Column#value} gives them.
   */
  QueryHandle submit(String sql, List<@Nullable Object> parameters);

  default QueryHandle submit(String sql) {
    return submit(sql, List.of());
  }

  /**
   * Parses and checks a statement with parameters, {@code ?} or {@code $1}; waits for that.
   *
   * @throws dev.varve.layout.error.VarveException for every fault of it, with the position
   */
  PreparedStatement prepare(String sql);
}
