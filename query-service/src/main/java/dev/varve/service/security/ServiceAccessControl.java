package dev.varve.service.security;

import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.Principal;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Whoever is logged in may do everything with tables; files are confined to some directories, links
 * resolved. Safe for concurrent use.
 */
final class ServiceAccessControl implements AccessControl {
  private final List<Path> roots;

  /**
   * @param roots real paths
   */
  ServiceAccessControl(List<Path> roots) {
    this.roots = List.copyOf(roots);
  }

  @Override
  public void check(Principal principal, List<Access> accesses) {
    for (Access access : accesses) {
      switch (access.privilege()) {
        case READ_FILES, WRITE_FILES -> checkPath(access.object().table());
        case SELECT, INSERT, CREATE, DROP, MAINTAIN, SET -> {}
      }
    }
  }

  private void checkPath(String location) {
    Path wanted = local(location);
    Path real = wanted == null ? null : resolve(wanted);
    if (real == null || roots.stream().noneMatch(real::startsWith)) {
      throw new VarveException(
          ErrorCode.INSUFFICIENT_PRIVILEGE,
          "path '" + location + "' is outside the directories that statements may use",
          null,
          "add a directory with --files-root or files.roots",
          null);
    }
  }

  /** Null for what is no file of this machine. */
  private static @Nullable Path local(String location) {
    try {
      if (location.startsWith("file:")) {
        return Path.of(URI.create(location).getPath());
      }
      return location.contains("://") ? null : Path.of(location);
    } catch (IllegalArgumentException | NullPointerException e) {
      return null;
    }
  }

  /**
   * The real path of as much as exists, the rest taken literally. From the first pattern on nothing
   * may climb, and no link below it may lead out.
   */
  private @Nullable Path resolve(Path path) {
    Path absolute = path.toAbsolutePath();
    Path existing = Path.of("/");
    Path rest = existing.relativize(absolute);
    try {
      for (int i = 0; i < rest.getNameCount(); i++) {
        Path name = rest.getName(i);
        Path remaining = rest.subpath(i, rest.getNameCount());
        if (isPattern(name.toString())) {
          return climbs(remaining) || leadsOut(existing, remaining)
              ? null
              : existing.resolve(remaining);
        }
        Path next = existing.resolve(name);
        if (!Files.exists(next)) {
          return climbs(remaining) || Files.isSymbolicLink(next)
              ? null
              : existing.resolve(remaining);
        }
        existing = next.toRealPath();
      }
      return existing;
    } catch (IOException e) {
      return null;
    }
  }

  private static boolean isPattern(String name) {
    return name.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  private static boolean climbs(Path path) {
    for (Path name : path) {
      if (name.toString().equals("..")) {
        return true;
      }
    }
    return false;
  }

  /** Whether a link that the rest of the pattern could reach points outside every root. */
  private boolean leadsOut(Path directory, Path pattern) throws IOException {
    if (roots.stream().noneMatch(directory::startsWith)) {
      return true;
    }
    int depth = pattern.toString().contains("**") ? Integer.MAX_VALUE : pattern.getNameCount();
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
