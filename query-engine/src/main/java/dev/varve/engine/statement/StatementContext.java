package dev.varve.engine.statement;

import dev.varve.engine.connector.CatalogSet;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.AccessControl.Access;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.Principal;
import dev.varve.engine.scan.IcebergTableSource;
import dev.varve.engine.scan.ParquetFilesSource;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.source.ViewDefinition;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.SchemaResolver;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One statement's view of the world: who asks, in which session state, with which parameters, and
 * the tables it has looked up so far, each once. Confined to the statement.
 */
final class StatementContext implements SchemaResolver {
  /** Of a table whose snapshot goes each time before it is held. */
  private static final int MOST_LOOKUPS = 5;

  private final StatementServices services;
  private final StatementRequest request;
  private final Map<ObjectName, Optional<SourceTable>> tables;
  private final Map<ObjectName, Optional<ViewDefinition>> views;
  private final Map<String, SourceTable> files;
  private final Set<ObjectName> missingSchemas;

  StatementContext(StatementServices services, StatementRequest request) {
    this.services = services;
    this.request = request;
    this.tables = new HashMap<>();
    this.views = new HashMap<>();
    this.files = new HashMap<>();
    this.missingSchemas = new HashSet<>();
  }

  /** The same statement where a view's definer was. */
  private StatementContext(StatementContext outer, StatementRequest request) {
    this.services = outer.services;
    this.request = request;
    this.tables = outer.tables;
    this.views = outer.views;
    this.files = outer.files;
    this.missingSchemas = outer.missingSchemas;
  }

  String sql() {
    return request.sql();
  }

  SessionState session() {
    return request.session();
  }

  List<@Nullable Object> parameters() {
    return request.parameters();
  }

  boolean isPrepared() {
    return request.prepared();
  }

  EvalContext eval() {
    return request.eval();
  }

  Principal principal() {
    return request.principal();
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
    access.check(principal(), accesses);
  }

  ObjectName resolve(QualifiedName name) {
    try {
      return catalogSet().resolve(name.parts(), session().catalog(), session().schema());
    } catch (VarveException e) {
      throw e.at(name.position());
    }
  }

  /** A schema by a name of one or two parts. */
  ObjectName resolveSchema(QualifiedName name) {
    return switch (name.parts().size()) {
      case 1 -> ObjectName.schema(session().catalog(), name.parts().get(0));
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
    return tables.computeIfAbsent(name, this::lookUp);
  }

  @Override
  public Optional<ViewDefinition> view(String catalog, String schema, String view) {
    return visibleView(inSession(catalog, schema, view));
  }

  private Optional<ViewDefinition> visibleView(ObjectName name) {
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

  @Override
  public SchemaResolver within(String catalog, String schema) {
    return new StatementContext(
        this, request.within(new SessionState(catalog, schema, session().settings())));
  }

  @Override
  public String catalog() {
    return session().catalog();
  }

  @Override
  public String schema() {
    return session().schema();
  }

  @Override
  public List<String> resolved(String catalog, String schema, String table) {
    ObjectName name = inSession(catalog, schema, table);
    return List.of(name.catalog(), name.schema(), name.table());
  }

  @Override
  public Optional<SourceTable> table(String catalog, String schema, String table) {
    return visible(inSession(catalog, schema, table));
  }

  private Optional<SourceTable> visible(ObjectName name) {
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
    if (!catalog.equals(session().catalog())) {
      return new ObjectName(catalog, schema, table);
    }
    ObjectName name = catalogSet().resolve(List.of(schema, table), catalog, session().schema());
    if (!name.catalog().equals(catalog)) {
      missingSchemas.add(ObjectName.schema(catalog, schema));
    }
    return name;
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
    if (catalog.equals(session().catalog())) {
      schemas.addAll(catalogSet().catalogsWithDefaultSchema());
    }
    return schemas;
  }

  @Override
  public boolean hasSchema(String catalog, String schema) {
    ObjectName name = inSession(catalog, schema, "");
    boolean there = catalogSet().hasSchema(name.catalog(), name.schema());
    if (!there) {
      missingSchemas.add(name);
    }
    return there;
  }

  /** The table with its snapshot held until the statement ends. */
  private Optional<SourceTable> lookUp(ObjectName name) {
    for (int attempt = 0; attempt < MOST_LOOKUPS; attempt++) {
      Optional<SourceTable> found = catalogSet().table(name);
      if (found.isEmpty()
          || !(found.get() instanceof IcebergTableSource source)
          || source.hold(services.pins(), request.closeAtEnd())) {
        return found;
      }
    }
    throw new VarveException(
        ErrorCode.COMMIT_CONFLICT,
        "the snapshot of table " + name + " is being removed",
        null,
        "run the statement again",
        null);
  }

  /** What has been asked of the catalogs so far. */
  TableLookups lookups() {
    Map<ObjectName, Optional<Schema>> found = new HashMap<>();
    tables.forEach((name, table) -> found.put(name, table.map(SourceTable::schema)));
    Map<String, Schema> opened = new HashMap<>();
    files.forEach((pattern, table) -> opened.put(pattern, table.schema()));
    Map<ObjectName, Optional<String>> versions = new HashMap<>();
    views.forEach((name, view) -> versions.put(name, view.map(ViewDefinition::version)));
    return new TableLookups(found, versions, opened, missingSchemas);
  }

  /**
   * Whether the same lookups would be answered alike now. Access is checked as if the statement
   * were resolved anew.
   */
  boolean confirms(TableLookups earlier) {
    for (Map.Entry<ObjectName, Optional<Schema>> table : earlier.tables().entrySet()) {
      ObjectName name = table.getKey();
      if (!visible(name).map(SourceTable::schema).equals(table.getValue())) {
        return false;
      }
    }
    for (Map.Entry<ObjectName, Optional<String>> view : earlier.views().entrySet()) {
      if (!visibleView(view.getKey()).map(ViewDefinition::version).equals(view.getValue())) {
        return false;
      }
    }
    for (Map.Entry<String, Schema> pattern : earlier.files().entrySet()) {
      if (!files(pattern.getKey()).schema().equals(pattern.getValue())) {
        return false;
      }
    }
    return earlier.missingSchemas().stream()
        .noneMatch(name -> catalogSet().hasSchema(name.catalog(), name.schema()));
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

  @Override
  public void checkpoint() {
    request.cancellation().check();
  }
}
