package dev.varve.catalog.table;

import dev.varve.layout.io.FileRoots;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.view.ViewMetadata;

/**
 * The folder under which the catalog places tables, and the roots below which a client may place
 * them; none lies elsewhere.
 */
final class Warehouse {
  /**
   * What a table's properties say about where its files go; the last two are Iceberg's old names.
   */
  private static final List<String> LOCATION_PROPERTIES =
      List.of(
          TableProperties.WRITE_METADATA_LOCATION,
          TableProperties.WRITE_DATA_LOCATION,
          "write.folder-storage.path",
          "write.object-storage.path");

  private final String root;
  private final FileRoots roots;

  /**
   * @param roots all places where tables may lie; the warehouse is among them
   */
  Warehouse(String root, FileRoots roots) {
    this.root = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
    this.roots = roots;
  }

  /**
   * A location no other table has or had: after a rename or a drop without purge the old name may
   * be taken again.
   */
  String newLocation(TableIdentifier table) {
    StringBuilder location = new StringBuilder(root);
    for (String level : table.namespace().levels()) {
      location.append('/').append(safe(level));
    }
    return location
        .append('/')
        .append(safe(table.name()))
        .append('-')
        .append(UUID.randomUUID().toString(), 0, 8)
        .toString();
  }

  /** Refuses metadata that would have the service write, or clients read, outside the roots. */
  void check(TableMetadata metadata) {
    check("location", metadata.location());
    check(metadata.properties());
  }

  void check(ViewMetadata metadata) {
    check("location", metadata.location());
    check(metadata.properties());
  }

  private void check(Map<String, String> properties) {
    for (String property : LOCATION_PROPERTIES) {
      String location = properties.get(property);
      if (location != null) {
        check(property, location);
      }
    }
  }

  /** A namespace's location says where clients may place its tables. */
  void checkNamespace(Map<String, String> properties) {
    String location = properties.get("location");
    if (location != null) {
      check("location", location);
    }
  }

  void check(String what, String location) {
    if (!roots.contain(location)) {
      throw new ForbiddenException(
          "The %s '%s' is outside the warehouse and the other roots of tables: %s",
          what, location, roots);
    }
  }

  /** A name as a folder: what file systems or URIs treat specially is replaced. */
  private static String safe(String name) {
    StringBuilder safe = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean plain = Character.isLetterOrDigit(c) || c == '_' || c == '-';
      safe.append(plain ? c : '_');
    }
    return safe.toString();
  }
}
