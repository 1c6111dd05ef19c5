package dev.varve.catalog.rest;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.iceberg.rest.RESTCatalogProperties.SnapshotMode;

/**
 * The entity tag of a loaded table. A metadata file never changes, so its location says what the
 * client holds; it is hashed because a tag may not carry every character.
 */
final class TableTag {
  private static final int TAG_BYTES = 16;

  private TableTag() {}

  static String of(String metadataLocation, SnapshotMode mode) {
    byte[] digest =
        Digests.sha256().digest((mode + " " + metadataLocation).getBytes(StandardCharsets.UTF_8));
    return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
  }

  /** Whether a request's If-None-Match names this tag. */
  static boolean matches(String ifNoneMatch, String tag) {
    for (String one : ifNoneMatch.split(",", -1)) {
      String named = one.strip();
      if (named.equals(tag) || named.equals("W/" + tag)) {
        return true;
      }
    }
    return false;
  }
}
