package dev.varve.service.postgres;

import dev.varve.engine.PreparedStatement;
import dev.varve.engine.Session;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.VarveException;
import dev.varve.service.postgres.SqlTokens.Kind;
import dev.varve.service.postgres.SqlTokens.Token;
import dev.varve.service.postgres.catalog.PgCatalog;
import dev.varve.service.query.QueryService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who answers a statement: the connection itself, {@link PgCatalog}, or the engine. Confined to the
 * connection's thread.
 */
final class Statements {
  /**
   * A statement that was parsed.
   *
   * @param parameterOids of its parameters, as the client said or else as the statement wants them
   * @param schema of its answer, without columns where it has no rows
   */
  record Prepared(
      String sql,
      Target target,
      int[] parameterOids,
      Schema schema,
      @Nullable PreparedStatement statement) {}

  /** Who answers. */
  enum Target {
    NOBODY,
    CONNECTION,
    CATALOG,
    ENGINE
  }

  private final Session session;
  private final QueryService queries;
  private final SessionCommands commands;
  private final PgCatalog catalog;
  private final Answer.Running.Client client;

  Statements(
      Session session,
      QueryService queries,
      SessionCommands commands,
      PgCatalog catalog,
      Answer.Running.Client client) {
    this.session = session;
    this.queries = queries;
    this.commands = commands;
    this.catalog = catalog;
    this.client = client;
  }

  /** A statement without parameters, at once. */
  Answer run(String sql) throws IOException {
    Optional<Answer> own = commands.run(sql);
    if (own.isPresent()) {
      return own.get();
    }
    if (PgCatalog.answers(SqlTokens.significant(sql))) {
      return Answer.Ready.rows("SELECT", catalog.query(sql, List.of()));
    }
    return new Answer.Running(queries.execute(session, sql), client);
  }

  Prepared prepare(String sql, int[] declared) throws IOException {
    List<Token> tokens = SqlTokens.significant(sql);
    if (tokens.isEmpty()) {
      return new Prepared(sql, Target.NOBODY, new int[0], Schema.EMPTY, null);
    }
    Optional<Schema> own = commands.describe(sql);
    if (own.isPresent()) {
      return new Prepared(sql, Target.CONNECTION, new int[0], own.get(), null);
    }
    if (PgCatalog.answers(tokens)) {
      int[] oids = Arrays.copyOf(declared, parameterCount(tokens));
      for (int i = 0; i < oids.length; i++) {
        oids[i] = oids[i] == 0 ? WireTypes.TEXT : oids[i];
      }
      return new Prepared(sql, Target.CATALOG, oids, catalog.describe(sql), null);
    }
    PreparedStatement statement = prepareWithTypes(sql, declared);
    List<DataType> types = statement.parameterTypes();
    int[] oids = new int[types.size()];
    for (int i = 0; i < oids.length; i++) {
      oids[i] =
          i < declared.length && declared[i] != 0 && declared[i] != WireTypes.UNKNOWN
              ? declared[i]
              : WireTypes.oid(types.get(i));
    }
    return new Prepared(
        sql, Target.ENGINE, oids, statement.schema().orElse(Schema.EMPTY), statement);
  }

  /**
   * Where nothing in the statement says what a parameter is, it is of the type that the client has
   * declared, or text.
   */
  private PreparedStatement prepareWithTypes(String sql, int[] declared) {
    try {
      return queries.prepare(session, sql);
    } catch (VarveException e) {
      String typed = typed(sql, declared);
      if (typed.equals(sql)) {
        throw e;
      }
      try {
        return queries.prepare(session, typed);
      } catch (VarveException again) {
        throw e;
      }
    }
  }

  private static String typed(String sql, int[] declared) {
    StringBuilder typed = new StringBuilder();
    for (Token token : SqlTokens.of(sql)) {
      int index = token.kind() == Kind.PARAMETER ? Integer.parseInt(token.text().substring(1)) : 0;
      String type =
          index == 0 ? null : WireTypes.sqlName(index <= declared.length ? declared[index - 1] : 0);
      typed.append(type == null ? token.text() : "CAST(" + token.text() + " AS " + type + ")");
    }
    return typed.toString();
  }

  private static int parameterCount(List<Token> tokens) {
    return tokens.stream()
        .filter(token -> token.kind() == Kind.PARAMETER)
        .mapToInt(token -> Integer.parseInt(token.text().substring(1)))
        .max()
        .orElse(0);
  }

  Answer run(Prepared prepared, List<@Nullable Object> values) throws IOException {
    return switch (prepared.target()) {
      case NOBODY -> throw new IllegalStateException("an empty statement is not run");
      case CONNECTION -> commands.run(prepared.sql()).orElseThrow();
      case CATALOG ->
          Answer.Ready.rows("SELECT", catalog.query(prepared.sql(), new ArrayList<>(values)));
      case ENGINE -> {
        PreparedStatement statement = prepared.statement();
        if (statement == null) {
          throw new IllegalStateException("a statement of the engine was prepared by it");
        }
        yield new Answer.Running(queries.execute(session.principal(), statement, values), client);
      }
    };
  }
}
