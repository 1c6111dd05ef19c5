package dev.varve.engine;

import dev.varve.engine.config.Settings;
import dev.varve.engine.port.Principal;
import dev.varve.engine.statement.Description;
import dev.varve.engine.statement.SessionState;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A session of {@link LocalQueryEngine}. */
final class LocalSession implements Session {
  private final LocalQueryEngine engine;
  private final Principal principal;
  private volatile SessionState state;

  LocalSession(LocalQueryEngine engine, Principal principal, SessionState state) {
    this.engine = engine;
    this.principal = principal;
    this.state = state;
  }

  @Override
  public Principal principal() {
    return principal;
  }

  @Override
  public String catalog() {
    return state.catalog();
  }

  @Override
  public String schema() {
    return state.schema();
  }

  @Override
  public Settings settings() {
    return state.settings();
  }

  @Override
  public QueryHandle submit(String sql, List<@Nullable Object> parameters) {
    return engine.submit(sql, principal, state, parameters, false, changed -> state = changed);
  }

  @Override
  public PreparedStatement prepare(String sql) {
    Description description = engine.describe(sql, principal, state);
    boolean query = description.schema().isPresent();
    return new PreparedStatement() {
      @Override
      public String sql() {
        return sql;
      }

      @Override
      public Optional<Schema> schema() {
        return description.schema();
      }

      @Override
      public List<DataType> parameterTypes() {
        return description.parameters();
      }

      @Override
      public QueryHandle execute(List<@Nullable Object> parameters) {
        return engine.submit(sql, principal, state, parameters, query, changed -> state = changed);
      }
    };
  }
}
