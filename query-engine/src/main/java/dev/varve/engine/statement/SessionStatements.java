package dev.varve.engine.statement;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.Settings;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.sql.Suggestions;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Optional;

/** SET, RESET and USE. */
final class SessionStatements {
  private final StatementServices services;
  private final Settings defaults;

  SessionStatements(StatementServices services, Settings defaults) {
    this.services = services;
    this.defaults = defaults;
  }

  Prepared set(Statement.SetSetting statement, StatementContext context) {
    context.check(Privilege.SET, new ObjectName("", "", statement.name()));
    return changed(
        "SET",
        statement,
        context,
        () -> context.session().settings().with(statement.name(), statement.value()));
  }

  Prepared reset(Statement.ResetSetting statement, StatementContext context) {
    context.check(Privilege.SET, new ObjectName("", "", statement.name().orElse("all")));
    return changed(
        "RESET",
        statement,
        context,
        () ->
            statement
                .name()
                .map(name -> context.session().settings().resetTo(name, defaults))
                .orElse(defaults));
  }

  private interface NewSettings {
    Settings get();
  }

  private static Prepared changed(
      String tag, Statement statement, StatementContext context, NewSettings settings) {
    try {
      return answer(tag, context.session().withSettings(settings.get()));
    } catch (VarveException e) {
      throw e.at(statement.position());
    }
  }

  /** One part is a schema of the session's catalog, or a catalog; two are both. */
  Prepared use(Statement.Use statement, StatementContext context) {
    List<String> parts = statement.name().parts();
    SessionState session = context.session();
    String catalog = session.catalog();
    String schema = parts.getLast();
    if (parts.size() == 2) {
      catalog = parts.get(0);
    } else if (!services.catalogs().hasSchema(catalog, schema)
        && services.catalogs().hasCatalog(schema)) {
      catalog = schema;
      schema = services.catalogs().defaultSchema(catalog);
    }
    if (!services.catalogs().hasCatalog(catalog)) {
      throw new VarveException(
          ErrorCode.UNDEFINED_CATALOG,
          "catalog '" + catalog + "' does not exist",
          statement.name().position(),
          Suggestions.hint(catalog, services.catalogs().names()),
          null);
    }
    if (!services.catalogs().hasSchema(catalog, schema)) {
      throw new VarveException(
          ErrorCode.UNDEFINED_SCHEMA,
          "schema '" + catalog + "." + schema + "' does not exist",
          statement.name().position(),
          Suggestions.hint(schema, services.catalogs().schemas(catalog)),
          null);
    }
    return answer("USE", new SessionState(catalog, schema, session.settings()));
  }

  private static Prepared answer(String tag, SessionState state) {
    return new Prepared.Answer(tag, Batch.empty(Schema.EMPTY), Optional.of(state));
  }
}
