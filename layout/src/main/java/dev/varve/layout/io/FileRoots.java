package dev.varve.layout.io;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The places below which files may lie: local directories, and prefixes of buckets ({@code
 * s3://bucket/prefix}). Links are followed as far as the path exists; a location that another
 * program could read as leading elsewhere (dot segments, also percent-encoded, control characters)
 * is outside. Immutable, safe for concurrent use.
 */
public final class FileRoots {
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

  private final List<Root> roots;

  private FileRoots(List<Root> roots) {
    this.roots = List.copyOf(roots);
  }

  private sealed interface Root {
    String text();

    /** Below {@code given}, or below {@code real} where links lead. */
    record Directory(String text, Path given, Path real) implements Root {}

    record Bucket(String text, String name, String prefix) implements Root {}
  }

  /**
   * @throws IllegalArgumentException if one is neither an absolute local path nor a bucket
   */
  public static FileRoots of(List<String> locations) {
    List<Root> roots = new ArrayList<>();
    for (String location : locations) {
      roots.add(root(location));
    }
    return new FileRoots(roots);
  }

  private static Root root(String location) {
    String trimmed =
        location.length() > 1 && location.endsWith("/")
            ? location.substring(0, location.length() - 1)
            : location;
    if (isObject(trimmed)) {
      return object(trimmed)
          .map(at -> new Root.Bucket(trimmed, at.bucket, at.key))
          .orElseThrow(
              () -> new IllegalArgumentException("'" + location + "' is not s3://bucket/prefix"));
    }
    if (!isAbsolute(trimmed)) {
      throw new IllegalArgumentException("'" + location + "' is not an absolute path");
    }
    Path given = LocalFileIO.path(trimmed);
    return new Root.Directory(trimmed, given, real(given));
  }

  /** Whether a location names something in an object store. */
  public static boolean isObject(String location) {
    String lower = location.toLowerCase(Locale.ROOT);
    return lower.startsWith("s3:") || lower.startsWith("s3a:") || lower.startsWith("s3n:");
  }

  /** Whether a file there is below one of the roots, or is a root itself. */
  public boolean contain(String location) {
    if (location.isEmpty() || hasControls(location)) {
      return false;
    }
    if (isObject(location)) {
      Optional<ObjectPlace> at = object(location);
      return at.isPresent() && roots.stream().anyMatch(root -> isBelow(at.get(), root));
    }
    if (!isAbsolute(location) || hasDots(location)) {
      return false;
    }
    Path path;
    try {
      path = LocalFileIO.path(location);
    } catch (RuntimeException e) {
      return false;
    }
    @Nullable Path real = null;
    for (Root root : roots) {
      if (root instanceof Root.Directory directory
          && (path.startsWith(directory.given) || path.startsWith(directory.real))) {
        real = real == null ? real(path) : real;
        // A directory that was not there when this was made may be a link by now.
        if (real.startsWith(directory.real) && !isEncodedBelow(path, directory)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Segments below the root that decode to dots or slashes; the root's own name is as it is. */
  private static boolean isEncodedBelow(Path path, Root.Directory root) {
    Path base = path.startsWith(root.given) ? root.given : root.real;
    for (Path segment : base.relativize(path)) {
      if (isHostile(segment.toString())) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBelow(ObjectPlace at, Root root) {
    return root instanceof Root.Bucket bucket
        && bucket.name.equals(at.bucket)
        && (bucket.prefix.isEmpty()
            || at.key.equals(bucket.prefix)
            || at.key.startsWith(bucket.prefix + "/"));
  }

  private record ObjectPlace(String bucket, String key) {}

  /** Empty for anything but a bucket and plain segments. */
  private static Optional<ObjectPlace> object(String location) {
    int scheme = location.indexOf("://");
    if (scheme < 0 || !isObject(location) || !isLowerCase(location.substring(0, scheme))) {
      return Optional.empty();
    }
    String rest = location.substring(scheme + 3);
    int slash = rest.indexOf('/');
    String bucket = slash < 0 ? rest : rest.substring(0, slash);
    String key = slash < 0 ? "" : rest.substring(slash + 1);
    if (!BUCKET.matcher(bucket).matches()) {
      return Optional.empty();
    }
    String plain = key.endsWith("/") ? key.substring(0, key.length() - 1) : key;
    if (!plain.isEmpty()) {
      for (String segment : plain.split("/", -1)) {
        // Clients cut a location at ? and #.
        if (segment.isEmpty()
            || isHostile(segment)
            || segment.contains("?")
            || segment.contains("#")) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(new ObjectPlace(bucket, plain));
  }

  private static boolean isLowerCase(String scheme) {
    return scheme.equals(scheme.toLowerCase(Locale.ROOT));
  }

  private static boolean isAbsolute(String location) {
    return location.startsWith("/")
        || location.regionMatches(true, 0, "file:/", 0, "file:/".length());
  }

  private static boolean hasControls(String location) {
    return location.chars().anyMatch(c -> c < 0x20 || c == 0x7f);
  }

  /** Dot segments as they stand there, before the path is normalized. */
  private static boolean hasDots(String location) {
    for (String segment : location.split("/", -1)) {
      if (segment.equals(".") || segment.equals("..")) {
        return true;
      }
    }
    return false;
  }

  /** Whether a program that decodes, once or again, takes the segment for something else. */
  private static boolean isHostile(String segment) {
    String decoded = segment;
    for (int round = 0; round < 3; round++) {
      if (decoded.equals(".") || decoded.equals("..") || decoded.contains("\\")) {
        return true;
      }
      if (round > 0 && (decoded.contains("/") || hasControls(decoded))) {
        return true;
      }
      decoded =
          decoded
              .replaceAll("(?i)%2e", ".")
              .replaceAll("(?i)%2f", "/")
              .replaceAll("(?i)%5c", "\\\\")
              .replaceAll("(?i)%00", "\0")
              .replace("%25", "%");
    }
    return false;
  }

  /** With links resolved in as much of it as exists; a link to nowhere leads outside. */
  private static Path real(Path path) {
    Path existing = path;
    while (existing != null && !Files.exists(existing, LinkOption.NOFOLLOW_LINKS)) {
      existing = existing.getParent();
    }
    if (existing == null) {
      return path;
    }
    try {
      Path real = existing.toRealPath();
      return existing.equals(path) ? real : real.resolve(existing.relativize(path));
    } catch (IOException e) {
      return Path.of("/dev/null");
    }
  }

  @Override
  public String toString() {
    return String.join(", ", roots.stream().map(Root::text).toList());
  }
}
