package dev.varve.service.security;

import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.FileRoots;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.service.home.Home;
import dev.varve.service.storage.StorageConfiguration;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whoever is logged in may do everything with tables; files are confined to some directories, links
 * resolved. Safe for concurrent use.
 */
final class ServiceAccessControl implements AccessControl {
  private final List<Path> roots;
  private final List<Path> unreadable;
  private final List<Path> unwritable;
  private final FileRoots readableObjects;
  private final FileRoots writableObjects;
  private final FileRoots warehouse;

  /**
   * @param roots real paths
   * @param storage the buckets among its roots may be used too; a warehouse there may be read
   * @param home what the service keeps for itself below it is no statement's, whatever the roots
   */
  ServiceAccessControl(List<Path> roots, StorageConfiguration storage, Home home) {
    this.roots = List.copyOf(roots);
    List<String> buckets =
        new ArrayList<>(storage.roots().stream().filter(FileRoots::isObject).toList());
    List<String> tables = storage.warehouse().filter(FileRoots::isObject).stream().toList();
    this.writableObjects = FileRoots.of(buckets);
    this.warehouse = FileRoots.of(tables);
    buckets.addAll(tables);
    this.readableObjects = FileRoots.of(buckets);
    this.unreadable =
        Stream.of(home.catalog(), home.security(), home.run(), home.configuration())
            .map(ServiceAccessControl::real)
            .toList();
    this.unwritable =
        Stream.concat(
                unreadable.stream(),
                Stream.concat(
                        storage.warehouse().filter(at -> !FileRoots.isObject(at)).stream()
                            .map(LocalFileIO::path),
                        Stream.of(
                            home.warehouse(), home.logs(), home.temporary(), home.shellHistory()))
                    .map(ServiceAccessControl::real))
            .toList();
  }

  /** With the links above it resolved; the path itself need not exist. */
  private static Path real(Path path) {
    Path parent = path.getParent();
    try {
      return parent == null ? path : parent.toRealPath().resolve(path.getFileName());
    } catch (IOException e) {
      return path;
    }
  }

  @Override
  public void check(Principal principal, List<Access> accesses) {
    for (Access access : accesses) {
      switch (access.privilege()) {
        case READ_FILES -> check(access.object().table(), unreadable, readableObjects);
        case WRITE_FILES -> {
          String location = access.object().table();
          if (FileRoots.isObject(location) && warehouse.contain(location)) {
            throw own(location);
          }
          check(location, unwritable, writableObjects);
        }
        case SELECT, INSERT, CREATE, DROP, MAINTAIN, SET -> {}
      }
    }
  }

  private static VarveException own(String location) {
    return new VarveException(
        ErrorCode.INSUFFICIENT_PRIVILEGE,
        "path '" + location + "' is the service's own; statements may not use it");
  }

  /** A pattern of objects is judged by the folder that it begins with. */
  private static String folder(String location) {
    for (int i = 0; i < location.length(); i++) {
      if (isPattern(location.substring(i, i + 1))) {
        String before = location.substring(0, i);
        return before.substring(0, before.lastIndexOf('/') + 1);
      }
    }
    return location;
  }

  private void check(String location, List<Path> ownPaths, FileRoots objects) {
    if (FileRoots.isObject(location)) {
      if (!objects.contain(folder(location))) {
        throw outside(location);
      }
      return;
    }
    Path real = resolve(location);
    if (real != null && ownPaths.stream().anyMatch(real::startsWith)) {
      throw own(location);
    }
    if (real == null || roots.stream().noneMatch(real::startsWith)) {
      throw outside(location);
    }
  }

  private static VarveException outside(String location) {
    return new VarveException(
        ErrorCode.INSUFFICIENT_PRIVILEGE,
        "path '" + location + "' is outside the directories that statements may use",
        null,
        "add a directory with --files-root or files.roots",
        null);
  }

  /**
   * The path as the engine will use it, with links resolved in as much as exists; null if it is no
   * local path, or leads out by a link. A pattern, or a folder whose files are to be read, is
   * judged by every link that could match.
   */
  private @Nullable Path resolve(String location) {
    try {
      Path absolute = LocalFileIO.path(location);
      Path existing = Path.of("/");
      for (int i = 0; i < absolute.getNameCount(); i++) {
        Path remaining = absolute.subpath(i, absolute.getNameCount());
        Path next = existing.resolve(absolute.getName(i));
        if (isPattern(absolute.getName(i).toString())) {
          return leadsOut(existing, depth(remaining)) ? null : existing.resolve(remaining);
        }
        if (!Files.exists(next)) {
          return Files.isSymbolicLink(next) ? null : existing.resolve(remaining);
        }
        existing = next.toRealPath();
      }
      return Files.isDirectory(existing) && leadsOut(existing, 1) ? null : existing;
    } catch (IOException | VarveException e) {
      return null;
    }
  }

  private static int depth(Path pattern) {
    return pattern.toString().contains("**") ? Integer.MAX_VALUE : pattern.getNameCount();
  }

  private static boolean isPattern(String name) {
    return name.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  /** Whether a link within {@code depth} levels below a directory points outside every root. */
  private boolean leadsOut(Path directory, int depth) throws IOException {
    if (roots.stream().noneMatch(directory::startsWith)) {
      return true;
    }
    AtomicBoolean out = new AtomicBoolean();
    Files.walkFileTree(
        directory,
        EnumSet.noneOf(FileVisitOption.class),
        depth,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (attributes.isSymbolicLink() && Files.exists(file)) {
              Path target = file.toRealPath();
              out.compareAndSet(false, roots.stream().noneMatch(target::startsWith));
            }
            return out.get() ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
            return FileVisitResult.CONTINUE;
          }
        });
    return out.get();
  }
}
