package dev.varve.engine.scan;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * The files that a path names: itself, the {@code *.parquet} files of a folder, or what a glob
 * matches. Sorted, so that the first file is the same every time. Files and folders whose name
 * begins with {@code _} or {@code .} are never data.
 */
final class FileListing {
  private static final Pattern GLOB = Pattern.compile("[*?\\[{]");
  private static final Pattern SCHEME = Pattern.compile("^(?!file:)[a-zA-Z][a-zA-Z0-9+.-]+://.*");

  private FileListing() {}

  static List<String> list(String pathOrGlob, FileIO io) {
    List<String> files =
        SCHEME.matcher(pathOrGlob).matches() ? remote(pathOrGlob, io) : local(pathOrGlob);
    if (files.isEmpty()) {
      throw new VarveException(ErrorCode.FILE_NOT_FOUND, "no file matches '" + pathOrGlob + "'");
    }
    return files;
  }

  private static List<String> local(String pathOrGlob) {
    if (!GLOB.matcher(pathOrGlob).find()) {
      Path path = LocalFileIO.path(pathOrGlob);
      return Files.isDirectory(path) ? matching(path, "*.parquet") : List.of(pathOrGlob);
    }
    int glob = firstGlob(pathOrGlob);
    int slash = pathOrGlob.lastIndexOf('/', glob);
    Path base =
        LocalFileIO.path(slash < 0 ? "." : slash == 0 ? "/" : pathOrGlob.substring(0, slash));
    return Files.isDirectory(base) ? matching(base, pathOrGlob.substring(slash + 1)) : List.of();
  }

  private static int firstGlob(String text) {
    var matcher = GLOB.matcher(text);
    return matcher.find() ? matcher.start() : text.length();
  }

  private static List<String> matching(Path base, String glob) {
    PathMatcher matcher;
    try {
      matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
    } catch (PatternSyntaxException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "'" + glob + "' is no pattern: " + e.getDescription(), e);
    }
    int depth =
        glob.contains("**")
            ? Integer.MAX_VALUE
            : (int) glob.chars().filter(c -> c == '/').count() + 1;
    try (Stream<Path> found = Files.walk(base, depth)) {
      return found
          .filter(Files::isRegularFile)
          .filter(p -> matcher.matches(base.relativize(p)) && isData(base.relativize(p)))
          .map(Path::toString)
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      throw new VarveException(
          ErrorCode.IO_ERROR, "cannot list '" + base + "': " + e.getMessage(), e);
    }
  }

  private static boolean isData(Path relative) {
    for (Path part : relative) {
      if (part.toString().startsWith("_") || part.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }

  private static List<String> remote(String pathOrGlob, FileIO io) {
    boolean glob = GLOB.matcher(pathOrGlob).find();
    if (!glob && !pathOrGlob.endsWith("/")) {
      return List.of(pathOrGlob);
    }
    if (!(io instanceof SupportsPrefixOperations listing)) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "files of '" + pathOrGlob + "' cannot be listed: name one file");
    }
    int slash = glob ? pathOrGlob.lastIndexOf('/', firstGlob(pathOrGlob)) : pathOrGlob.length() - 1;
    String prefix = pathOrGlob.substring(0, slash + 1);
    String pattern = glob ? pathOrGlob.substring(slash + 1) : "*.parquet";
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    List<String> files = new ArrayList<>();
    for (FileInfo file : listing.listPrefix(prefix)) {
      Path relative = Path.of(file.location().substring(prefix.length()));
      if (matcher.matches(relative) && isData(relative)) {
        files.add(file.location());
      }
    }
    files.sort(null);
    return files;
  }
}
