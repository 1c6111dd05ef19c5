package dev.varve.engine.connector.lake;

import dev.varve.engine.port.ObjectName;
import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.scan.IcebergTableSource;
import dev.varve.engine.scan.ScanServices;
import dev.varve.engine.source.CatalogChanges;
import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.source.ViewDefinition;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.catalog.ViewCatalog;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NamespaceNotEmptyException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchTableException;

/**
 * An Iceberg catalog as the engine's catalog; a namespace of one level is a schema. Each lookup
 * pins the table's current snapshot. Safe for concurrent use.
 */
public final class LakeConnector implements Connector, CatalogChanges {
  /**
   * Appends never conflict in truth, so a commit that lost a race tries again for about a minute.
   */
  private static final Map<String, String> COMMIT_RETRIES =
      Map.of(
          "commit.retry.num-retries", "30",
          "commit.retry.min-wait-ms", "20",
          "commit.retry.max-wait-ms", "2000",
          "commit.retry.total-timeout-ms", "120000");

  private final String name;
  private final Catalog catalog;
  private final SupportsNamespaces namespaces;
  private final Optional<LakeViews> views;
  private final LayoutIndex layoutIndex;
  private final ScanServices services;
  private final SinkFactory sinks;
  private final PinnedSources pinned = new PinnedSources();

  /** {@code catalog} is an Iceberg catalog that has namespaces. */
  public <C extends Catalog & SupportsNamespaces> LakeConnector(
      String name, C catalog, LayoutIndex layoutIndex, ScanServices services, SinkFactory sinks) {
    this.name = name;
    this.catalog = catalog;
    this.namespaces = catalog;
    this.views =
        catalog instanceof ViewCatalog viewCatalog
            ? Optional.of(new LakeViews(name, viewCatalog))
            : Optional.empty();
    this.layoutIndex = layoutIndex;
    this.services = services;
    this.sinks = sinks;
  }

  public LayoutIndex layoutIndex() {
    return layoutIndex;
  }

  @Override
  public List<String> schemas() {
    return namespaces.listNamespaces().stream().map(n -> n.level(0)).distinct().sorted().toList();
  }

  @Override
  public List<String> tables(String schema) {
    try {
      return catalog.listTables(Namespace.of(schema)).stream()
          .map(TableIdentifier::name)
          .sorted()
          .toList();
    } catch (NoSuchNamespaceException e) {
      return List.of();
    }
  }

  @Override
  public Optional<SourceTable> table(String schema, String table) {
    return icebergSource(schema, table).map(source -> source);
  }

  @Override
  public List<String> views(String schema) {
    return views.map(v -> v.list(schema)).orElse(List.of());
  }

  @Override
  public Optional<ViewDefinition> view(String schema, String view) {
    return views.flatMap(v -> v.find(schema, view));
  }

  /** The same, as what it is. */
  public Optional<IcebergTableSource> icebergSource(String schema, String table) {
    return find(schema, table)
        .map(found -> pinned.get(schema, table, found, () -> source(schema, table, found)));
  }

  /** A pinned view of a table that the caller holds. */
  public IcebergTableSource source(String schema, String table, Table held, long snapshotId) {
    return new IcebergTableSource(
        held, snapshotId, layoutIndex, new ObjectName(name, schema, table), services);
  }

  private IcebergTableSource source(String schema, String table, Table found) {
    Snapshot snapshot = found.currentSnapshot();
    return source(
        schema,
        table,
        found,
        snapshot == null ? IcebergTableSource.NO_SNAPSHOT : snapshot.snapshotId());
  }

  private Optional<Table> find(String schema, String table) {
    try {
      return Optional.of(catalog.loadTable(identifier(schema, table)));
    } catch (NoSuchTableException | NoSuchNamespaceException e) {
      return Optional.empty();
    }
  }

  private static TableIdentifier identifier(String schema, String table) {
    return TableIdentifier.of(Namespace.of(schema), table);
  }

  @Override
  public Optional<CatalogChanges> changes() {
    return Optional.of(this);
  }

  @Override
  public void createSchema(String schema, boolean ifNotExists) {
    try {
      namespaces.createNamespace(Namespace.of(schema));
    } catch (AlreadyExistsException e) {
      if (!ifNotExists) {
        throw new VarveException(
            ErrorCode.DUPLICATE_SCHEMA, "schema '" + name + "." + schema + "' already exists", e);
      }
    }
  }

  @Override
  public void dropSchema(String schema, boolean ifExists, boolean cascade) {
    Namespace namespace = Namespace.of(schema);
    if (!namespaces.namespaceExists(namespace)) {
      if (ifExists) {
        return;
      }
      throw noSuchSchema(schema);
    }
    if (cascade) {
      views.ifPresent(v -> v.dropAll(schema));
      catalog.listTables(namespace).forEach(table -> catalog.dropTable(table, true));
    }
    try {
      namespaces.dropNamespace(namespace);
    } catch (NamespaceNotEmptyException e) {
      throw new VarveException(
          ErrorCode.SCHEMA_NOT_EMPTY,
          "schema '"
              + name
              + "."
              + schema
              + "' has tables or views: "
              + String.join(
                  ", ", Stream.concat(tables(schema).stream(), views(schema).stream()).toList()),
          null,
          "DROP SCHEMA ... CASCADE drops them too",
          e);
    }
  }

  @Override
  public boolean createTable(NewTable table, boolean ifNotExists) {
    try {
      builder(table).create();
      return true;
    } catch (AlreadyExistsException e) {
      if (ifNotExists) {
        return false;
      }
      throw duplicate(table, e);
    } catch (NoSuchNamespaceException e) {
      throw noSuchSchema(table.schema());
    }
  }

  /** Iceberg has no 16-bit integers. */
  @Override
  public DataType storedType(DataType type) {
    return type.kind() == TypeKind.SMALLINT ? DataType.INTEGER : type;
  }

  @Override
  public Transaction beginCreateTable(NewTable table) {
    try {
      return builder(table).createTransaction();
    } catch (AlreadyExistsException e) {
      throw duplicate(table, e);
    } catch (NoSuchNamespaceException e) {
      throw noSuchSchema(table.schema());
    }
  }

  private Catalog.TableBuilder builder(NewTable table) {
    if (!namespaces.namespaceExists(Namespace.of(table.schema()))) {
      throw noSuchSchema(table.schema());
    }
    Schema schema = IcebergTypes.toIceberg(table.columns());
    Map<String, String> properties =
        new HashMap<>(sinks.tableProperties(table.options(), table.columns()));
    COMMIT_RETRIES.forEach(properties::putIfAbsent);
    properties.putAll(TextColumns.properties(table.textLengths(), schema));
    return catalog
        .buildTable(identifier(table.schema(), table.name()), schema)
        .withPartitionSpec(PartitionSpec.unpartitioned())
        .withSortOrder(sortOrder(schema, table))
        .withProperties(properties);
  }

  private static SortOrder sortOrder(Schema schema, NewTable table) {
    SortOrder.Builder order = SortOrder.builderFor(schema);
    List<String> seen = new ArrayList<>();
    for (OrderKey key : table.orderedBy()) {
      if (schema.findField(key.column()) == null) {
        throw new VarveException(
            ErrorCode.UNDEFINED_COLUMN,
            "column '" + key.column() + "' of ORDERED BY is not in the table " + table.name());
      }
      if (seen.contains(key.column())) {
        throw new VarveException(
            ErrorCode.INVALID_PARAMETER, "column '" + key.column() + "' is twice in ORDERED BY");
      }
      seen.add(key.column());
      var nulls =
          key.options().nullsFirst()
              ? org.apache.iceberg.NullOrder.NULLS_FIRST
              : org.apache.iceberg.NullOrder.NULLS_LAST;
      if (key.options().descending()) {
        order.desc(key.column(), nulls);
      } else {
        order.asc(key.column(), nulls);
      }
    }
    return order.build();
  }

  @Override
  public void dropTable(String schema, String table, boolean ifExists) {
    boolean dropped;
    try {
      dropped = catalog.dropTable(identifier(schema, table), true);
    } catch (NoSuchNamespaceException e) {
      dropped = false;
    }
    if (!dropped && !ifExists) {
      throw noSuchTable(schema, table);
    }
  }

  @Override
  public void createView(NewView view, boolean orReplace, boolean ifNotExists) {
    if (!namespaces.namespaceExists(Namespace.of(view.schema()))) {
      throw noSuchSchema(view.schema());
    }
    Schema columns =
        IcebergTypes.toIceberg(
            view.columns().stream()
                .map(c -> Field.of(c.name(), storedType(c.type()), c.nullable()))
                .toList());
    viewsOrRefuse().create(view, columns, orReplace, ifNotExists);
  }

  @Override
  public void dropView(String schema, String view, boolean ifExists) {
    viewsOrRefuse().drop(schema, view, ifExists);
  }

  private LakeViews viewsOrRefuse() {
    return views.orElseThrow(
        () ->
            new VarveException(
                ErrorCode.FEATURE_NOT_SUPPORTED, "catalog '" + name + "' holds no views"));
  }

  @Override
  public Table icebergTable(String schema, String table) {
    return find(schema, table).orElseThrow(() -> noSuchTable(schema, table));
  }

  private VarveException noSuchTable(String schema, String table) {
    boolean isView = view(schema, table).isPresent();
    return new VarveException(
        ErrorCode.UNDEFINED_TABLE,
        "table '" + name + "." + schema + "." + table + "' does not exist",
        null,
        isView ? "there is a view of that name" : null,
        null);
  }

  private VarveException noSuchSchema(String schema) {
    return new VarveException(
        ErrorCode.UNDEFINED_SCHEMA,
        "schema '" + name + "." + schema + "' does not exist",
        null,
        "CREATE SCHEMA " + schema + " makes it",
        null);
  }

  private VarveException duplicate(NewTable table, AlreadyExistsException e) {
    return new VarveException(
        ErrorCode.DUPLICATE_TABLE,
        "table '" + name + "." + table.schema() + "." + table.name() + "' already exists",
        e);
  }
}
