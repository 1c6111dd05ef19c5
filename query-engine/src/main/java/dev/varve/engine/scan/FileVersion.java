package dev.varve.engine.scan;

import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.io.Tagged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.iceberg.io.InputFile;

/**
 * Tells versions of a file apart that may be replaced or rewritten under its name: an object by its
 * store's tag, a local file by what the file system numbers it as, its size and when it was last
 * changed.
 */
final class FileVersion {
  /**
   * File systems round times of change, so a file that was changed just now may be changed again
   * without being seen to be: it has no version yet.
   */
  private static final Duration SETTLED = Duration.ofSeconds(3);

  private FileVersion() {}

  /** A text that differs between versions; empty if that cannot be told. */
  static Optional<String> of(InputFile file, Instant now) {
    String location = file.location();
    if (file instanceof Tagged tagged) {
      return tagged.etag().map(tag -> location + "@" + tag);
    }
    try {
      Path path = LocalFileIO.path(location);
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      // Not the time of modification: anyone can set that one back.
      Instant changed = ((FileTime) Files.getAttribute(path, "unix:ctime")).toInstant();
      return attributes.fileKey() == null || changed.plus(SETTLED).isAfter(now)
          ? Optional.empty()
          : Optional.of(
              location + "@" + attributes.fileKey() + ":" + attributes.size() + ":" + changed);
    } catch (VarveException | IOException | UnsupportedOperationException e) {
      // Not a local file, or one that cannot be read: reading it will say so.
      return Optional.empty();
    }
  }
}
