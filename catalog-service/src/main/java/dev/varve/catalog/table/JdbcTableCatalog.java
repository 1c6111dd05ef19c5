package dev.varve.catalog.table;

import dev.varve.catalog.index.CommitIndexer;
import dev.varve.catalog.index.IndexMismatch;
import dev.varve.catalog.index.IndexUpkeep;
import dev.varve.catalog.index.IndexingSwitch;
import dev.varve.catalog.request.RequestKey;
import dev.varve.catalog.store.Database;
import dev.varve.catalog.upkeep.CatalogUpkeep;
import dev.varve.layout.io.FileRoots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.MetadataUpdate;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.UpdateRequirement;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NoSuchViewException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.view.BaseMetastoreViewCatalog;
import org.apache.iceberg.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Iceberg's catalog over the database. Safe for concurrent use. */
public final class JdbcTableCatalog extends BaseMetastoreViewCatalog implements SupportsNamespaces {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcTableCatalog.class);

  private final String name;
  private final Database database;
  private final TableStore tables;
  private final ViewStore views;
  private final NamespaceStore namespaces;
  private final IndexingSwitch indexing;
  private final CommitIndexer indexer;
  private final IndexUpkeep upkeep;
  private final Warehouse warehouse;
  private final FileIO io;
  private final CatalogUpkeep files;
  private final MetadataCache metadata = new MetadataCache();

  /**
   * @param warehouse the location under which new tables lie
   * @param roots all places where tables may lie; {@code io} reaches no other
   * @param upkeep belongs to the caller
   */
  public JdbcTableCatalog(
      String name,
      Database database,
      String warehouse,
      FileRoots roots,
      FileIO io,
      IndexUpkeep upkeep,
      IndexingSwitch indexing,
      CatalogUpkeep files) {
    this(name, database, new Warehouse(warehouse, roots), io, upkeep, indexing, files);
  }

  private JdbcTableCatalog(
      String name,
      Database database,
      Warehouse warehouse,
      FileIO io,
      IndexUpkeep upkeep,
      IndexingSwitch indexing,
      CatalogUpkeep files) {
    this.indexing = indexing;
    this.files = files;
    this.name = name;
    this.database = database;
    this.tables = new TableStore(database);
    this.views = new ViewStore(database);
    this.namespaces = new NamespaceStore(database);
    this.indexer = new CommitIndexer(database, indexing);
    this.upkeep = upkeep;
    this.warehouse = warehouse;
    this.io = io;
  }

  /** The same catalog for one request, whose change is made at most once; for one thread. */
  public JdbcTableCatalog forRequest(RequestKey key) {
    return new JdbcTableCatalog(
        name, database.forRequest(key), warehouse, io, upkeep, indexing, files);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void initialize(String catalogName, Map<String, String> properties) {
    throw new UnsupportedOperationException("the catalog is initialized by its constructor");
  }

  @Override
  protected JdbcTableOperations newTableOps(TableIdentifier table) {
    return new JdbcTableOperations(table, tables, indexer, upkeep, warehouse, io, metadata);
  }

  @Override
  protected String defaultWarehouseLocation(TableIdentifier table) {
    return warehouse.newLocation(table);
  }

  /** Every table is in a namespace. */
  @Override
  protected boolean isValidIdentifier(TableIdentifier table) {
    return !table.namespace().isEmpty();
  }

  @Override
  public List<TableIdentifier> listTables(Namespace namespace) {
    if (namespace.isEmpty()) {
      return List.of();
    }
    return tables.list(namespace);
  }

  @Override
  public Table registerTable(TableIdentifier table, String metadataLocation) {
    warehouse.check("metadata location", metadataLocation);
    return super.registerTable(table, metadataLocation);
  }

  /** Overwriting leaves the files of what the name stood for before. */
  @Override
  public Table registerTable(TableIdentifier table, String metadataLocation, boolean overwrite) {
    if (!overwrite) {
      return registerTable(table, metadataLocation);
    }
    if (!isValidIdentifier(table)) {
      throw new IllegalArgumentException("Invalid identifier: " + table);
    }
    warehouse.check("metadata location", metadataLocation);
    JdbcTableOperations operations = newTableOps(table);
    operations.replace(TableMetadataParser.read(io.newInputFile(metadataLocation)));
    return loadTable(table);
  }

  @Override
  public boolean dropTable(TableIdentifier table, boolean purge) {
    if (!isValidIdentifier(table)) {
      return false;
    }
    if (!purge) {
      return tables.drop(table, null, sql -> {}).orElseThrow();
    }
    while (true) {
      TableMetadata last = newTableOps(table).current();
      if (last == null) {
        return false;
      }
      Optional<Boolean> dropped =
          tables.drop(table, last.metadataFileLocation(), sql -> files.dropped(sql, last));
      if (dropped.isPresent()) {
        removeFiles(table);
        return dropped.get();
      }
      // Another commit came between, whose files are to go too.
    }
  }

  /** The table is gone in any case; files that cannot be removed now are noted. */
  private void removeFiles(TableIdentifier table) {
    try {
      files.cleanUp();
    } catch (RuntimeException e) {
      LOG.warn("the files of {}, which was dropped, are not removed yet", table, e);
    }
  }

  /** A table as one of its metadata files has it, to be read only. */
  public Table tableAt(String metadataLocation) {
    TableMetadata found =
        metadata.get(metadataLocation, location -> TableMetadataParser.read(io, location));
    return new BaseTable(new StaticTableOperations(found, io), found.location());
  }

  /** The table that has this uuid, whatever its name is now. */
  public Optional<Table> withUuid(String uuid) {
    return tables.named(uuid).map(this::loadTable);
  }

  /** Where a table's current metadata lies; empty when there is no such table. */
  public Optional<String> metadataLocation(TableIdentifier table) {
    return tables.find(table).map(TableStore.Row::metadataLocation);
  }

  /** Whether a metadata file that a pointer stands on is really there. */
  public boolean metadataExists(String location) {
    return io.newInputFile(location).exists();
  }

  @Override
  public void renameTable(TableIdentifier from, TableIdentifier to) {
    if (!isValidIdentifier(from)) {
      throw new NoSuchTableException("Table does not exist: %s", from);
    }
    tables.rename(from, to);
  }

  @Override
  protected JdbcViewOperations newViewOps(TableIdentifier view) {
    return new JdbcViewOperations(view, views, warehouse, io);
  }

  @Override
  public List<TableIdentifier> listViews(Namespace namespace) {
    return namespace.isEmpty() ? List.of() : views.list(namespace);
  }

  @Override
  public View registerView(TableIdentifier view, String metadataLocation) {
    warehouse.check("metadata location", metadataLocation);
    return super.registerView(view, metadataLocation);
  }

  /** The metadata files stay: they are small, and older versions of the view are in them. */
  @Override
  public boolean dropView(TableIdentifier view) {
    return isValidIdentifier(view) && views.drop(view);
  }

  @Override
  public void renameView(TableIdentifier from, TableIdentifier to) {
    if (!isValidIdentifier(from)) {
      throw new NoSuchViewException("View does not exist: %s", from);
    }
    views.rename(from, to);
  }

  /**
   * Commits changes to several tables, all or none, in one transaction.
   *
   * @throws org.apache.iceberg.exceptions.CommitFailedException when one of them was changed
   *     meanwhile
   */
  public void commitTransaction(List<UpdateTableRequest> changes) {
    List<JdbcTableOperations.Pending> pending = new ArrayList<>(changes.size());
    CommitOutcome outcome;
    try {
      for (UpdateTableRequest change : changes) {
        JdbcTableOperations operations = newTableOps(change.identifier());
        TableMetadata base = operations.current();
        if (base == null) {
          throw new NoSuchTableException("Table does not exist: %s", change.identifier());
        }
        TableMetadata updated = apply(change, base);
        if (!updated.changes().isEmpty()) {
          pending.add(operations.prepare(base, updated));
        }
      }
      outcome = commit(pending);
    } catch (RuntimeException e) {
      pending.forEach(JdbcTableOperations.Pending::discard);
      throw e;
    }
    if (!pending.isEmpty()) {
      outcome = newTableOps(changes.getFirst().identifier()).settle(pending, outcome);
    }
    RuntimeException failure = null;
    for (JdbcTableOperations.Pending one : pending) {
      try {
        one.finish(outcome);
      } catch (RuntimeException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private CommitOutcome commit(List<JdbcTableOperations.Pending> pending) {
    try {
      return tables.commit(pending.stream().map(one -> one.swap(one.index())).toList());
    } catch (IndexMismatch e) {
      return tables.commit(pending.stream().map(one -> one.swap(one.rebuiltIndex())).toList());
    }
  }

  private static TableMetadata apply(UpdateTableRequest change, TableMetadata base) {
    for (UpdateRequirement requirement : change.requirements()) {
      requirement.validate(base);
    }
    TableMetadata.Builder builder = TableMetadata.buildFrom(base);
    for (MetadataUpdate update : change.updates()) {
      update.applyTo(builder);
    }
    return builder.build();
  }

  @Override
  public void createNamespace(Namespace namespace, Map<String, String> properties) {
    warehouse.checkNamespace(properties);
    namespaces.create(namespace, properties);
  }

  @Override
  public List<Namespace> listNamespaces(Namespace namespace) {
    return namespaces.list(namespace);
  }

  @Override
  public boolean namespaceExists(Namespace namespace) {
    return namespaces.exists(namespace);
  }

  @Override
  public Map<String, String> loadNamespaceMetadata(Namespace namespace) {
    return namespaces.properties(namespace);
  }

  @Override
  public boolean dropNamespace(Namespace namespace) {
    return namespaces.drop(namespace);
  }

  @Override
  public boolean setProperties(Namespace namespace, Map<String, String> properties) {
    warehouse.checkNamespace(properties);
    return namespaces.setProperties(namespace, properties);
  }

  @Override
  public boolean removeProperties(Namespace namespace, Set<String> properties) {
    return namespaces.removeProperties(namespace, properties);
  }
}
