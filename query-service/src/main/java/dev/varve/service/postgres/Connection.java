package dev.varve.service.postgres;

import dev.varve.engine.Session;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.postgres.catalog.PgCatalog;
import dev.varve.service.query.CatalogListing;
import dev.varve.service.query.QueryService;
import dev.varve.service.query.SessionService;
import dev.varve.service.query.SessionService.SessionRequest;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One client after its login: reads a message, does what it says, answers. Confined to one thread,
 * but for {@link #cancel}.
 */
final class Connection implements AutoCloseable {
  private static final int MAX_STATEMENTS = 10_000;

  private final ServiceConfiguration configuration;
  private final Clock clock;
  private final WireInput in;
  private final WireOutput out;
  private final Replies replies;
  private final Session session;
  private final ClientSettings settings = new ClientSettings();
  private final TransactionBlock block = new TransactionBlock();
  private final PgCatalog catalog;
  private final Statements statements;
  private final Map<String, Statements.Prepared> prepared = new HashMap<>();
  private final Map<String, Portal> portals = new HashMap<>();
  private final AtomicReference<@Nullable Answer> running = new AtomicReference<>();
  private final AtomicBoolean cancelWanted = new AtomicBoolean();
  private volatile boolean busy;
  private boolean skipsToSync;

  Connection(
      ServiceConfiguration configuration,
      Clock clock,
      SessionService sessions,
      QueryService queries,
      Principal principal,
      Map<String, String> startup,
      WireInput in,
      WireOutput out) {
    this.configuration = configuration;
    this.clock = clock;
    this.in = in;
    this.out = out;
    this.replies = new Replies(out);
    this.session = sessions.open(principal, SessionRequest.DEFAULTS);
    useDatabase(startup.getOrDefault("database", ""), startup.getOrDefault("user", ""));
    startup.forEach(this::startWith);
    this.catalog = new PgCatalog(session, settings.all());
    this.statements =
        new Statements(
            session,
            queries,
            new SessionCommands(session, settings, block, replies),
            catalog,
            in::isGone);
  }

  /**
   * Databases are our catalogs; a client that names none means its user's, which is none of ours.
   */
  private void useDatabase(String database, String user) {
    if (database.isEmpty() || database.equals(session.catalog())) {
      return;
    }
    if (new CatalogListing(session).catalogs().contains(database)) {
      SessionService.apply(session, new SessionRequest(database, null, null));
    } else if (!database.equals(user)) {
      throw new VarveException(
          ErrorCode.UNDEFINED_CATALOG, "database \"" + database + "\" does not exist");
    }
  }

  private void startWith(String name, String value) {
    if (name.equalsIgnoreCase("timezone")) {
      SessionService.apply(session, new SessionRequest(null, null, Map.of("timezone", value)));
    } else if (settings.has(name)) {
      settings.set(name, value);
    }
  }

  /** Serves the client until it says goodbye or is gone. */
  void serve(int process, int secret) throws IOException {
    for (String name :
        List.of(
            "server_version",
            "server_encoding",
            "client_encoding",
            "application_name",
            "is_superuser",
            "datestyle",
            "intervalstyle",
            "integer_datetimes",
            "standard_conforming_strings")) {
      replies.parameter(reported(name), String.valueOf(settings.get(name)));
    }
    replies.parameter("session_authorization", session.principal().name());
    String zone = zone();
    replies.parameter("TimeZone", zone);
    replies.key(process, secret);
    replies.ready(block.status());
    while (true) {
      WireInput.Message message = in.next(configuration.maxBodyBytes());
      if (message.type() == 'X') {
        return;
      }
      busy = true;
      handle(message);
      String now = zone();
      if (!now.equals(zone)) {
        zone = now;
        replies.parameter("TimeZone", zone);
      }
      // A client may wait for what is answered so far before it sends Sync.
      if (message.type() == 'H') {
        out.flush();
      }
    }
  }

  private static String reported(String name) {
    return switch (name) {
      case "datestyle" -> "DateStyle";
      case "intervalstyle" -> "IntervalStyle";
      default -> name;
    };
  }

  private String zone() {
    return session.settings().get(EngineSettings.TIME_ZONE).getId();
  }

  private void handle(WireInput.Message message) throws IOException {
    if (skipsToSync && message.type() != 'S') {
      return;
    }
    String sql = null;
    try {
      switch (message.type()) {
        case 'Q' -> {
          simpleQuery(message.string());
          return;
        }
        case 'P' -> {
          String name = message.string();
          sql = message.string();
          parse(name, sql, message);
        }
        case 'B' -> bind(message);
        case 'D' -> describe(message);
        case 'E' -> {
          Portal portal = portal(message.string());
          sql = portal.prepared().sql();
          execute(portal, message.content().getInt());
        }
        case 'C' -> close(message);
        case 'H' -> {}
        case 'S' -> sync();
        case 'F' ->
            throw new VarveException(
                ErrorCode.FEATURE_NOT_SUPPORTED, "there is no function call protocol");
        // What a client sends for a COPY that has failed.
        case 'd', 'c', 'f' -> {}
        default -> throw WireInput.wrong("a message of type '" + message.type() + "'");
      }
    } catch (RuntimeException e) {
      failed(e, sql);
      skipsToSync = true;
    }
  }

  private void failed(RuntimeException failure, @Nullable String sql) throws IOException {
    running.set(null);
    block.statementFailed();
    replies.error(
        failure instanceof BufferUnderflowException
            ? WireInput.wrong("a message that ends too early")
            : failure,
        sql);
  }

  private void sync() throws IOException {
    skipsToSync = false;
    if (!block.isOpen()) {
      closePortals();
    }
    ready();
  }

  /** Nothing that the client asked for is left to be cancelled. */
  private void ready() throws IOException {
    busy = false;
    cancelWanted.set(false);
    replies.ready(block.status());
  }

  // Simple query

  private void simpleQuery(String script) throws IOException {
    closePortals();
    List<String> texts = SqlTokens.statements(script);
    if (texts.isEmpty()) {
      replies.empty('I');
    }
    for (String sql : texts) {
      try {
        if (refusedInFailedBlock(sql)) {
          break;
        }
        run(sql);
      } catch (RuntimeException e) {
        failed(e, texts.size() == 1 && script.startsWith(sql) ? sql : null);
        break;
      }
    }
    ready();
  }

  private boolean refusedInFailedBlock(String sql) throws IOException {
    if (!block.isFailed()) {
      return false;
    }
    List<SqlTokens.Token> tokens = SqlTokens.significant(sql);
    String first = tokens.isEmpty() ? "" : tokens.get(0).folded();
    if (List.of("commit", "end", "rollback", "abort").contains(first)) {
      return false;
    }
    replies.inFailedBlock();
    return true;
  }

  private void run(String sql) throws IOException {
    try (Portal portal = unnamed(sql)) {
      Answer answer = portal.start(statements);
      send(portal, answer, 0, !answerSchema(answer).fields().isEmpty());
    }
  }

  private dev.varve.engine.type.Schema answerSchema(Answer answer) throws IOException {
    running.set(answer);
    if (cancelWanted.getAndSet(false)) {
      answer.cancel(cancelled());
    }
    return answer.schema();
  }

  /** A portal of a statement that was not prepared: its columns are known when it runs. */
  private Portal unnamed(String sql) throws IOException {
    Answer answer = statements.run(sql);
    return Portal.of(sql, answer, new RowEncoder(answerSchema(answer), new int[0], context()));
  }

  private void send(Portal portal, Answer answer, long limit, boolean describe) throws IOException {
    if (describe) {
      portal.encoder().describe(out);
    }
    if (portal.send(answer, limit, out)) {
      if (answer.wrote()) {
        block.wrote();
      }
      replies.complete(portal.tag(answer));
    } else {
      replies.empty('s');
    }
    running.set(null);
  }

  private EvalContext context() {
    Instant now = clock.instant();
    return new EvalContext(
        now.getEpochSecond() * 1_000_000 + now.getNano() / 1000,
        session.settings().get(EngineSettings.TIME_ZONE),
        session.principal().name(),
        session.catalog(),
        session.schema());
  }

  // Extended query

  private void parse(String name, String sql, WireInput.Message message) throws IOException {
    int[] declared = new int[message.content().getShort()];
    for (int i = 0; i < declared.length; i++) {
      declared[i] = message.content().getInt();
    }
    if (refusedInFailedBlock(sql)) {
      skipsToSync = true;
      return;
    }
    if (!name.isEmpty() && prepared.containsKey(name)) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "prepared statement \"" + name + "\" already exists");
    }
    if (prepared.size() >= MAX_STATEMENTS) {
      throw new VarveException(
          ErrorCode.TOO_MANY_QUERIES,
          "the connection holds " + MAX_STATEMENTS + " prepared statements, which is the limit");
    }
    if (SqlTokens.statements(sql).size() > 1) {
      throw new VarveException(
          ErrorCode.SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement");
    }
    prepared.put(name, statements.prepare(sql, declared));
    replies.empty('1');
  }

  private Statements.Prepared prepared(String name) {
    Statements.Prepared found = prepared.get(name);
    if (found == null) {
      throw new VarveException(
          ErrorCode.NOT_FOUND, "prepared statement \"" + name + "\" does not exist");
    }
    return found;
  }

  private Portal portal(String name) {
    Portal found = portals.get(name);
    if (found == null) {
      throw new VarveException(ErrorCode.NOT_FOUND, "portal \"" + name + "\" does not exist");
    }
    return found;
  }

  private void bind(WireInput.Message message) throws IOException {
    String name = message.string();
    Statements.Prepared statement = prepared(message.string());
    ByteBuffer content = message.content();
    int[] formats = shorts(content);
    int count = content.getShort();
    int[] oids = statement.parameterOids();
    if (count != oids.length || (formats.length > 1 && formats.length != count)) {
      throw WireInput.wrong(count + " values for a statement with " + oids.length + " parameters");
    }
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = content.getInt();
      boolean binary = formats.length > 0 && formats[formats.length == 1 ? 0 : i] == 1;
      values.add(
          length < 0
              ? null
              : ParameterDecoder.decode(i + 1, oids[i], binary, message.bytes(length)));
    }
    RowEncoder encoder = new RowEncoder(statement.schema(), shorts(content), context());
    Portal old = portals.remove(name);
    if (old != null) {
      old.close();
    }
    portals.put(name, new Portal(statement, values, encoder));
    replies.empty('2');
  }

  private static int[] shorts(ByteBuffer content) {
    int[] values = new int[content.getShort()];
    for (int i = 0; i < values.length; i++) {
      values[i] = content.getShort();
    }
    return values;
  }

  private void describe(WireInput.Message message) throws IOException {
    char what = (char) message.content().get();
    String name = message.string();
    if (what == 'S') {
      Statements.Prepared statement = prepared(name);
      replies.parameterTypes(statement.parameterOids());
      describe(new RowEncoder(statement.schema(), new int[0], context()), statement);
    } else {
      Portal portal = portal(name);
      describe(portal.encoder(), portal.prepared());
    }
  }

  private void describe(RowEncoder encoder, Statements.Prepared statement) throws IOException {
    if (statement.schema().size() == 0) {
      replies.empty('n');
    } else {
      encoder.describe(out);
    }
  }

  private void execute(Portal portal, int limit) throws IOException {
    if (portal.prepared().target() == Statements.Target.NOBODY) {
      replies.empty('I');
      return;
    }
    if (refusedInFailedBlock(portal.prepared().sql())) {
      skipsToSync = true;
      return;
    }
    Answer answer = portal.start(statements);
    answerSchema(answer);
    send(portal, answer, Math.max(0, limit), false);
  }

  private void close(WireInput.Message message) throws IOException {
    char what = (char) message.content().get();
    String name = message.string();
    if (what == 'S') {
      prepared.remove(name);
    } else {
      Portal portal = portals.remove(name);
      if (portal != null) {
        portal.close();
      }
    }
    replies.empty('3');
  }

  private void closePortals() {
    portals.values().forEach(Portal::close);
    portals.clear();
  }

  /**
   * By another connection, which has shown this one's key. What is being parsed now is cancelled
   * when it starts.
   */
  void cancel() {
    cancelWanted.set(busy);
    Answer now = running.get();
    if (now != null && cancelWanted.getAndSet(false)) {
      now.cancel(cancelled());
    }
  }

  private static VarveException cancelled() {
    return new VarveException(ErrorCode.QUERY_CANCELED, "canceling statement due to user request");
  }

  @Override
  public void close() {
    Answer now = running.getAndSet(null);
    if (now != null) {
      now.cancel(new VarveException(ErrorCode.QUERY_CANCELED, "the client went away"));
    }
    closePortals();
    catalog.close();
  }
}
