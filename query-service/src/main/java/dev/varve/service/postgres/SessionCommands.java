package dev.varve.service.postgres;

import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.postgres.SqlTokens.Kind;
import dev.varve.service.postgres.SqlTokens.Token;
import dev.varve.service.query.SessionService;
import dev.varve.service.query.SessionService.SessionRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The statements that are about a connection and not about data, where PostgreSQL has them and the
 * engine has not: transactions, and settings of {@link ClientSettings}. Confined to the
 * connection's thread.
 */
final class SessionCommands {
  private final Session session;
  private final ClientSettings settings;
  private final TransactionBlock block;
  private final Replies replies;

  SessionCommands(
      Session session, ClientSettings settings, TransactionBlock block, Replies replies) {
    this.session = session;
    this.settings = settings;
    this.block = block;
    this.replies = replies;
  }

  /** What a statement answers before it runs; empty if it is none of these. */
  Optional<Schema> describe(String sql) {
    List<Token> tokens = SqlTokens.significant(sql);
    if (!isCommand(tokens)) {
      return Optional.empty();
    }
    return Optional.of(
        tokens.get(0).isWord("show") ? showSchema(settingName(tokens)) : Schema.EMPTY);
  }

  /** Does it; empty if it is none of these. */
  Optional<Answer> run(String sql) throws IOException {
    List<Token> tokens = SqlTokens.significant(sql);
    return isCommand(tokens) ? Optional.of(run(tokens)) : Optional.empty();
  }

  private boolean isCommand(List<Token> tokens) {
    if (tokens.isEmpty()) {
      return false;
    }
    return switch (tokens.get(0).folded()) {
      case "begin",
          "commit",
          "end",
          "rollback",
          "abort",
          "savepoint",
          "release",
          "discard",
          "deallocate",
          "close",
          "listen",
          "unlisten" ->
          tokens.get(0).kind() == Kind.WORD;
      case "start" -> word(tokens, 1, "transaction");
      case "set", "reset", "show" -> isOurSetting(tokens);
      default -> false;
    };
  }

  private boolean isOurSetting(List<Token> tokens) {
    return isTransactionMode(tokens) || settings.has(settingName(tokens));
  }

  private static boolean isTransactionMode(List<Token> tokens) {
    return word(tokens, 1, "transaction")
        || (word(tokens, 1, "session") && word(tokens, 2, "characteristics"));
  }

  private static boolean word(List<Token> tokens, int at, String word) {
    return at < tokens.size() && tokens.get(at).isWord(word);
  }

  /**
   * {@code SET [SESSION|LOCAL] name}, {@code SHOW name}, {@code SHOW TRANSACTION ISOLATION LEVEL}.
   */
  private static String settingName(List<Token> tokens) {
    int at = word(tokens, 1, "session") || word(tokens, 1, "local") ? 2 : 1;
    if (word(tokens, 0, "show") && word(tokens, 1, "transaction")) {
      return "transaction_isolation";
    }
    return at < tokens.size() ? tokens.get(at).folded().replace("\"", "") : "";
  }

  private Answer run(List<Token> tokens) throws IOException {
    String command = tokens.get(0).folded();
    return switch (command) {
      case "begin", "start" -> {
        if (block.isOpen()) {
          replies.warning("there is already a transaction in progress");
        }
        block.begin();
        yield Answer.Ready.of("BEGIN");
      }
      case "commit", "end" -> {
        warnIfNone();
        yield Answer.Ready.of(block.commit());
      }
      case "rollback", "abort" -> {
        if (word(tokens, 1, "to")) {
          throw noSavepoints();
        }
        warnIfNone();
        block.rollback();
        yield Answer.Ready.of("ROLLBACK");
      }
      case "savepoint", "release" -> throw noSavepoints();
      case "discard" -> {
        settings.reset();
        yield Answer.Ready.of("DISCARD ALL");
      }
      case "show" -> show(settingName(tokens));
      case "set" -> set(tokens);
      case "reset" -> {
        settings.set(settingName(tokens), "default");
        yield Answer.Ready.of("RESET");
      }
      default -> Answer.Ready.of(command.toUpperCase(java.util.Locale.ROOT));
    };
  }

  private void warnIfNone() throws IOException {
    if (!block.isOpen()) {
      replies.warning("there is no transaction in progress");
    }
  }

  private static VarveException noSavepoints() {
    return new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED, "there are no savepoints: each statement is committed");
  }

  private static Schema showSchema(String name) {
    return Schema.of(Field.of(name, DataType.VARCHAR));
  }

  private Answer show(String name) {
    ColumnBuilder value = ColumnBuilder.of(DataType.VARCHAR, 1);
    value.append(settings.get(name));
    return Answer.Ready.rows("SHOW", new Batch(showSchema(name), List.of(value.build()), 1));
  }

  private Answer set(List<Token> tokens) {
    if (isTransactionMode(tokens)) {
      return Answer.Ready.of("SET");
    }
    String name = settingName(tokens);
    int at = 0;
    while (at < tokens.size() && !tokens.get(at).isSymbol("=") && !tokens.get(at).isWord("to")) {
      at++;
    }
    List<String> values = new ArrayList<>();
    for (Token token : tokens.subList(Math.min(tokens.size(), at + 1), tokens.size())) {
      if (!token.isSymbol(",")) {
        values.add(unquoted(token));
      }
    }
    if (name.equals("search_path")) {
      searchPath(values);
    }
    settings.set(name, String.join(", ", values));
    return Answer.Ready.of("SET");
  }

  /** The first schema that is the session's own to choose is where it stands from now on. */
  private void searchPath(List<String> schemas) {
    for (String schema : schemas) {
      if (!schema.equals("pg_catalog") && !schema.equals("$user")) {
        SessionService.apply(session, new SessionRequest(null, schema, Map.of()));
        return;
      }
    }
  }

  private static String unquoted(Token token) {
    String text = token.text();
    return switch (token.kind()) {
      case STRING -> text.substring(1, text.length() - 1).replace("''", "'");
      case NAME -> text.substring(1, text.length() - 1).replace("\"\"", "\"");
      default -> token.folded();
    };
  }
}
