package dev.varve.engine.connector.lake;

import dev.varve.engine.scan.IcebergTableSource;
import dev.varve.engine.source.CatalogChanges.NewView;
import dev.varve.engine.source.ViewDefinition;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.catalog.ViewCatalog;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.apache.iceberg.exceptions.NoSuchViewException;
import org.apache.iceberg.view.SQLViewRepresentation;
import org.apache.iceberg.view.View;
import org.apache.iceberg.view.ViewBuilder;
import org.apache.iceberg.view.ViewRepresentation;

/** The views of an Iceberg catalog that are written in our SQL. Safe for concurrent use. */
final class LakeViews {
  /** What Iceberg calls our SQL; views of others stay theirs. */
  private static final String DIALECT = "varve";

  private final String catalogName;
  private final ViewCatalog catalog;

  LakeViews(String catalogName, ViewCatalog catalog) {
    this.catalogName = catalogName;
    this.catalog = catalog;
  }

  List<String> list(String schema) {
    try {
      return catalog.listViews(Namespace.of(schema)).stream()
          .map(TableIdentifier::name)
          .sorted()
          .toList();
    } catch (NoSuchNamespaceException e) {
      return List.of();
    }
  }

  Optional<ViewDefinition> find(String schema, String name) {
    View view;
    try {
      view = catalog.loadView(identifier(schema, name));
    } catch (NoSuchViewException | NoSuchNamespaceException e) {
      return Optional.empty();
    }
    Namespace place = view.currentVersion().defaultNamespace();
    String definerCatalog = view.currentVersion().defaultCatalog();
    return Optional.of(
        new ViewDefinition(
            IcebergTableSource.columns(view.schema()),
            sql(view, schema, name),
            definerCatalog == null ? catalogName : definerCatalog,
            place.isEmpty() ? schema : place.level(0),
            view.uuid() + "@" + view.currentVersion().versionId()));
  }

  private String sql(View view, String schema, String name) {
    for (ViewRepresentation representation : view.currentVersion().representations()) {
      if (representation instanceof SQLViewRepresentation sql
          && sql.dialect().equalsIgnoreCase(DIALECT)) {
        return sql.sql();
      }
    }
    throw new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED,
        "view '"
            + catalogName
            + "."
            + schema
            + "."
            + name
            + "' is written in the SQL of another engine: "
            + String.join(
                ", ",
                view.currentVersion().representations().stream()
                    .filter(SQLViewRepresentation.class::isInstance)
                    .map(r -> ((SQLViewRepresentation) r).dialect())
                    .toList()));
  }

  void create(NewView view, Schema columns, boolean orReplace, boolean ifNotExists) {
    ViewBuilder builder =
        catalog
            .buildView(identifier(view.schema(), view.name()))
            .withSchema(columns)
            .withQuery(DIALECT, view.sql())
            .withDefaultCatalog(view.catalog())
            .withDefaultNamespace(Namespace.of(view.definerSchema()));
    try {
      if (orReplace) {
        builder.createOrReplace();
      } else {
        builder.create();
      }
    } catch (AlreadyExistsException e) {
      if (!ifNotExists || !catalog.viewExists(identifier(view.schema(), view.name()))) {
        throw duplicate(view, e);
      }
    } catch (CommitFailedException e) {
      throw new VarveException(
          ErrorCode.COMMIT_CONFLICT,
          "another change of view " + view.name() + " was in the way: " + e.getMessage(),
          null,
          "nothing was changed; run the statement again",
          e);
    } catch (CommitStateUnknownException e) {
      throw new VarveException(
          ErrorCode.COMMIT_STATE_UNKNOWN,
          "it is unknown whether view " + view.name() + " was changed: " + e.getMessage(),
          e);
    }
  }

  private VarveException duplicate(NewView view, AlreadyExistsException cause) {
    boolean isView = catalog.viewExists(identifier(view.schema(), view.name()));
    return new VarveException(
        ErrorCode.DUPLICATE_TABLE,
        (isView ? "view '" : "table '")
            + catalogName
            + "."
            + view.schema()
            + "."
            + view.name()
            + "' already exists",
        cause);
  }

  void drop(String schema, String name, boolean ifExists) {
    boolean dropped;
    try {
      dropped = catalog.dropView(identifier(schema, name));
    } catch (NoSuchNamespaceException e) {
      dropped = false;
    }
    if (!dropped && !ifExists) {
      throw new VarveException(
          ErrorCode.UNDEFINED_TABLE,
          "view '" + catalogName + "." + schema + "." + name + "' does not exist");
    }
  }

  void dropAll(String schema) {
    catalog.listViews(Namespace.of(schema)).forEach(catalog::dropView);
  }

  private static TableIdentifier identifier(String schema, String name) {
    return TableIdentifier.of(Namespace.of(schema), name);
  }
}
