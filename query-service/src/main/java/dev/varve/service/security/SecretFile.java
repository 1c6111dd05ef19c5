package dev.varve.service.security;

import dev.varve.service.home.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A file of tab-separated lines that only its owner can read; replaced as a whole. */
final class SecretFile {
  private final Path file;
  private final int fields;

  SecretFile(Path file, int fields) {
    this.file = file;
    this.fields = fields;
  }

  List<String[]> read() {
    List<String[]> lines = new ArrayList<>();
    if (Files.exists(file)) {
      try {
        for (String line : Files.readAllLines(file)) {
          String[] parts = line.split("\t", -1);
          if (parts.length != fields) {
            throw new StartFailure(
                file + ", line " + (lines.size() + 1) + ": not " + fields + " fields");
          }
          lines.add(parts);
        }
      } catch (IOException e) {
        throw new StartFailure("cannot read " + file + ": " + e.getMessage(), e);
      }
    }
    return lines;
  }

  void write(List<String[]> lines) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(written);
    Files.createFile(
        written,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.write(
        written, lines.stream().map(l -> String.join("\t", l)).toList(), StandardOpenOption.WRITE);
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
