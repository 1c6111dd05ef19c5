package dev.varve.catalog.table;

import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.ForbiddenException;

/** The folder under which the catalog's tables lie; a client may place none elsewhere. */
final class Warehouse {
  private final String root;

  Warehouse(String root) {
    this.root = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
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

  /** Refuses metadata that would have the service write, or clients read, outside the warehouse. */
  void check(TableMetadata metadata) {
    check("location", metadata.location());
    Map<String, String> properties = metadata.properties();
    for (String property :
        new String[] {
          TableProperties.WRITE_METADATA_LOCATION, TableProperties.WRITE_DATA_LOCATION
        }) {
      if (properties.containsKey(property)) {
        check(property, properties.get(property));
      }
    }
  }

  void check(String what, String location) {
    String path = withoutScheme(location);
    String top = withoutScheme(root);
    boolean inside = path.equals(top) || path.startsWith(top + "/");
    if (!inside || (path + "/").contains("/../") || (path + "/").contains("/./")) {
      throw new ForbiddenException(
          "The %s '%s' is outside the warehouse '%s'", what, location, root);
    }
  }

  /** Local paths compare without regard to how their file: scheme is written. */
  private static String withoutScheme(String location) {
    if (!location.toLowerCase(Locale.ROOT).startsWith("file:")) {
      return location;
    }
    String path = location.substring("file:".length());
    return path.startsWith("///") ? path.substring(2) : path;
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
