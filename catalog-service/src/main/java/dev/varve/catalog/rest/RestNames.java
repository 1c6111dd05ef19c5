package dev.varve.catalog.rest;

import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;

/** Names in paths, already percent-decoded; the levels of a namespace are separated by U+001F. */
final class RestNames {
  private static final String SEPARATOR = "\u001f";

  private RestNames() {}

  static Namespace namespace(String path) {
    return Namespace.of(path.split(SEPARATOR, -1));
  }

  static TableIdentifier table(String namespace, String table) {
    return TableIdentifier.of(namespace(namespace), table);
  }
}
