package dev.varve.catalog.upkeep;

import dev.varve.layout.io.FileRoots;
import dev.varve.layout.io.LocalFileIO;

/** One name for one file, however its location is written. */
final class FileNames {
  private FileNames() {}

  static String of(String location) {
    if (FileRoots.isObject(location)) {
      int rest = location.indexOf("://");
      return rest < 0 ? location : "s3" + location.substring(rest);
    }
    try {
      return LocalFileIO.path(location).toString();
    } catch (RuntimeException e) {
      // Of a store that is not ours: it is the same only where it is written the same.
      return location;
    }
  }
}
