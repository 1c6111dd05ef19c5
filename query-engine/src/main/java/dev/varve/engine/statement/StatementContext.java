package dev.varve.engine.statement;

import dev.varve.engine.connector.CatalogSet;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.AccessControl.Access;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.Principal;
import dev.varve.engine.scan.ParquetFilesSource;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.source.ViewDefinition;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.SchemaResolver;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One statement's view of the world: who asks, in which session state, with which parameters, and
 * the tables it has looked up so far, each once. Confined to the statement.
 */
final class StatementContext implements SchemaResolver {
  private final StatementServices services;
  private final Principal principal;
  private final SessionState session;
  private final List<@Nullable Object> parameters;
  private final Map<ObjectName, Optional<SourceTable>> tables;
  private final Map<ObjectName, Optional<ViewDefinition>> views;
  private final Map<String, SourceTable> files;

  StatementContext(
      StatementServices services,
      Principal principal,
      SessionState session,
      List<@Nullable Object> parameters) {
    this.services = services;
    this.principal = principal;
    this.session = session;
    this.parameters = parameters;
    this.tables = new HashMap<>();
    this.views = new HashMap<>();
    this.files = new HashMap<>();
  }

  /** The same statement where a view's definer was. */
  private StatementContext(StatementContext outer, SessionState place) {
    this.services = outer.services;
    this.principal = outer.principal;
    this.session = place;
    this.parameters = outer.parameters;
    this.tables = outer.tables;
    this.views = outer.views;
    this.files = outer.files;
  }

  SessionState session() {
    return session;
  }

  List<@Nullable Object> parameters() {
    return parameters;
  }

  Principal principal() {
    return principal;
  }

  private CatalogSet catalogSet() {
    return services.catalogs();
  }

  /** The one place where access is asked for. */
  void check(Privilege privilege, ObjectName object) {
    check(List.of(new Access(privilege, object)));
  }

  void check(List<Access> accesses) {
    AccessControl access = services.accessControl();
    access.check(principal, accesses);
  }

  ObjectName resolve(QualifiedName name) {
    try {
      return catalogSet().resolve(name.parts(), session.catalog(), session.schema());
    } catch (VarveException e) {
      throw e.at(name.position());
    }
  }

  /** A schema by a name of one or two parts. */
  ObjectName resolveSchema(QualifiedName name) {
    return switch (name.parts().size()) {
      case 1 -> ObjectName.schema(session.catalog(), name.parts().get(0));
      case 2 -> ObjectName.schema(name.parts().get(0), name.parts().get(1));
      default ->
          throw new VarveException(
                  ErrorCode.UNDEFINED_SCHEMA,
                  "name '" + name + "' has more than catalog and schema")
              .at(name.position());
    };
  }

  /** The table of a name, or UNDEFINED_TABLE at its position, with what comes nearest. */
  SourceTable table(QualifiedName name) {
    ObjectName object = resolve(name);
    return lookup(object)
        .orElseThrow(() -> MissingTable.error(catalogSet(), object).at(name.position()));
  }

  private Optional<SourceTable> lookup(ObjectName name) {
    return tables.computeIfAbsent(name, n -> catalogSet().table(n));
  }

  @Override
  public Optional<ViewDefinition> view(String catalog, String schema, String view) {
    ObjectName name = inSession(catalog, schema, view);
    Optional<ViewDefinition> found = lookupView(name);
    if (found.isPresent()) {
      check(Privilege.SELECT, name);
    }
    return found;
  }

  private Optional<ViewDefinition> lookupView(ObjectName name) {
    return views.computeIfAbsent(name, n -> catalogSet().view(n));
  }

  /** The view of a name, if it is one's. */
  Optional<ViewDefinition> view(QualifiedName name) {
    return lookupView(resolve(name));
  }

  /** The versions of the views that the statement named so far, by their full names. */
  Map<ObjectName, String> viewVersions() {
    Map<ObjectName, String> versions = new HashMap<>();
    views.forEach((name, view) -> view.ifPresent(v -> versions.put(name, v.version())));
    return versions;
  }

  @Override
  public SchemaResolver within(String catalog, String schema) {
    return new StatementContext(this, new SessionState(catalog, schema, session.settings()));
  }

  @Override
  public String catalog() {
    return session.catalog();
  }

  @Override
  public String schema() {
    return session.schema();
  }

  @Override
  public Optional<SourceTable> table(String catalog, String schema, String table) {
    ObjectName name = inSession(catalog, schema, table);
    Optional<SourceTable> found = lookup(name);
    if (found.isPresent()) {
      check(Privilege.SELECT, name);
    }
    return found;
  }

  /**
   * "system.queries" arrives as a schema of the session's catalog; the set of catalogs knows
   * better.
   */
  private ObjectName inSession(String catalog, String schema, String table) {
    return catalog.equals(session.catalog())
        ? catalogSet().resolve(List.of(schema, table), catalog, session.schema())
        : new ObjectName(catalog, schema, table);
  }

  @Override
  public SourceTable files(String pattern) {
    SourceTable known = files.get(pattern);
    if (known != null) {
      return known;
    }
    check(Privilege.READ_FILES, new ObjectName("", "", pattern));
    SourceTable opened = ParquetFilesSource.open(pattern, services.fileIo(), services.scan());
    files.put(pattern, opened);
    return opened;
  }

  @Override
  public List<String> catalogs() {
    return catalogSet().names();
  }

  @Override
  public List<String> schemas(String catalog) {
    if (!catalogSet().hasCatalog(catalog)) {
      return List.of();
    }
    List<String> schemas = new ArrayList<>(catalogSet().schemas(catalog));
    if (catalog.equals(session.catalog())) {
      schemas.addAll(catalogSet().catalogsWithDefaultSchema());
    }
    return schemas;
  }

  @Override
  public boolean hasSchema(String catalog, String schema) {
    ObjectName name = inSession(catalog, schema, "");
    return catalogSet().hasSchema(name.catalog(), name.schema());
  }

  @Override
  public List<String> tables(String catalog, String schema) {
    if (!catalogSet().hasCatalog(catalog)) {
      return List.of();
    }
    ObjectName name = inSession(catalog, schema, "");
    List<String> relations = new ArrayList<>(catalogSet().tables(name.catalog(), name.schema()));
    relations.addAll(catalogSet().views(name.catalog(), name.schema()));
    return relations;
  }
}
