package dev.varve.service.home;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Where one Varve keeps everything it writes.
 *
 * <pre>
 *   catalog/           the H2 database
 *   warehouse/         tables
 *   security/          users and tokens, owner only
 *   history/           the queries of this node, owner only
 *   run/               lock, address and token of the running process, owner only
 *   logs/  tmp/        what may be deleted while no process runs
 *   varve.properties   configuration, if there is one
 *   shell_history
 * </pre>
 */
public record Home(Path root) {
  public Home {
    root = root.toAbsolutePath().normalize();
  }

  public Path catalog() {
    return root.resolve("catalog");
  }

  public Path warehouse() {
    return root.resolve("warehouse");
  }

  public Path security() {
    return root.resolve("security");
  }

  public Path history() {
    return root.resolve("history");
  }

  public Path run() {
    return root.resolve("run");
  }

  public Path logs() {
    return root.resolve("logs");
  }

  public Path temporary() {
    return root.resolve("tmp");
  }

  public Path configuration() {
    return root.resolve("varve.properties");
  }

  public Path shellHistory() {
    return root.resolve("shell_history");
  }

  /** Creates the directories that are missing and checks that they can be written. */
  public Home create() {
    try {
      Files.createDirectories(root);
      for (Path directory : Set.of(catalog(), warehouse(), logs(), temporary())) {
        Files.createDirectories(directory);
      }
      for (Path directory : Set.of(security(), history(), run())) {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      }
      for (Path directory :
          Set.of(root, catalog(), warehouse(), logs(), temporary(), security(), history(), run())) {
        Path probe = Files.createTempFile(directory, ".probe", "");
        Files.delete(probe);
      }
    } catch (FileSystemException e) {
      throw new StartFailure(
          "the home "
              + root
              + " cannot be written: "
              + (e.getReason() == null ? e.getClass().getSimpleName() : e.getReason())
              + " ("
              + e.getFile()
              + "); choose another with --home",
          e);
    } catch (IOException e) {
      throw new StartFailure("the home " + root + " cannot be written: " + e.getMessage(), e);
    }
    return this;
  }
}
