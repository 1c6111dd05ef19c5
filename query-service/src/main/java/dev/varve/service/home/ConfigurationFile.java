package dev.varve.service.home;

import static java.util.Objects.requireNonNull;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.FileRoots;
import dev.varve.service.storage.S3Settings;
import dev.varve.service.storage.StorageConfiguration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code varve.properties}: lines of {@code key = value}, {@code #} begins a comment line. A
 * key that means nothing, a value that is wrong and a key given twice are errors that name file,
 * line and key.
 */
public final class ConfigurationFile {
  private static final String SETTING_PREFIX = "session.";

  /** Every key but {@code session.*}, whose rest is the name of an engine setting. */
  public static final List<String> KEYS =
      List.of(
          "server.address",
          "server.port",
          "server.max-body-bytes",
          "flight.port",
          "postgres.port",
          "tls.certificate",
          "tls.key",
          "files.roots",
          "warehouse",
          "database.url",
          "database.user",
          "database.password",
          "s3.endpoint",
          "s3.region",
          "s3.path-style",
          "s3.access-key-id",
          "s3.secret-access-key",
          "s3.session-token",
          "maintenance.least-age-seconds",
          "queries.max-sql-length",
          "queries.max-running",
          "queries.result-buffer-bytes",
          "queries.abandoned-after-seconds",
          "queries.kept-for-seconds",
          "sessions.max",
          "sessions.abandoned-after-seconds",
          "spill.max-bytes",
          "index.background",
          "index.check-bytes-per-second");

  private record Entry(Path file, int line, String key, String value) {
    StartFailure failure(String reason) {
      return new StartFailure(file + ", line " + line + ", key '" + key + "': " + reason);
    }

    long number(long min, long max) {
      try {
        long number = Long.parseLong(value);
        if (number >= min && number <= max) {
          return number;
        }
      } catch (NumberFormatException e) {
        throw failure("'" + value + "' is not a whole number");
      }
      throw failure(value + " is not between " + min + " and " + max);
    }

    long bytes() {
      try {
        return EngineSettings.parseBytes(value);
      } catch (IllegalArgumentException e) {
        throw failure("'" + value + "' is " + e.getMessage());
      }
    }

    Duration seconds() {
      return Duration.ofSeconds(number(1, 31_536_000));
    }
  }

  private ConfigurationFile() {}

  /** The configuration of a home: the defaults where it has no file. */
  public static ServiceConfiguration read(Path file) {
    Map<String, Entry> entries = Files.exists(file) ? parse(file) : Map.of();
    ServiceConfiguration d = ServiceConfiguration.DEFAULTS;
    List<String> roots = roots(entries.get("files.roots"));
    return new ServiceConfiguration(
        address(entries.get("server.address")),
        (int) number(entries.get("server.port"), 0, 65_535, d.port()),
        portOrOff(entries.get("flight.port"), d.flightPort()),
        portOrOff(entries.get("postgres.port"), d.postgresPort()),
        tls(entries.get("tls.certificate"), entries.get("tls.key")),
        directories(roots),
        bytes(entries.get("server.max-body-bytes"), d.maxBodyBytes()),
        (int) number(entries.get("queries.max-sql-length"), 1, 100_000_000, d.maxSqlLength()),
        (int) number(entries.get("queries.max-running"), 1, 100_000, d.maxRunningQueries()),
        (int) number(entries.get("sessions.max"), 1, 1_000_000, d.maxSessions()),
        bytes(entries.get("queries.result-buffer-bytes"), d.resultBufferBytes()),
        seconds(entries.get("queries.abandoned-after-seconds"), d.queryAbandonedAfter()),
        seconds(entries.get("queries.kept-for-seconds"), d.queryKeptFor()),
        seconds(entries.get("sessions.abandoned-after-seconds"), d.sessionAbandonedAfter()),
        bytes(entries.get("spill.max-bytes"), d.spillBytes()),
        new StorageConfiguration(
            warehouse(entries.get("warehouse")),
            roots,
            s3(entries),
            Duration.ofSeconds(
                number(
                    entries.get("maintenance.least-age-seconds"),
                    0,
                    31_536_000,
                    d.storage().leastAge().toSeconds()))),
        database(entries),
        index(entries),
        settings(entries));
  }

  private static Map<String, Entry> parse(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new StartFailure(file + " is not a text file in UTF-8", e);
    } catch (IOException e) {
      throw new StartFailure("cannot read " + file + ": " + e.getMessage(), e);
    }
    Map<String, Entry> entries = new LinkedHashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      int equals = line.indexOf('=');
      if (equals < 1) {
        // A secret without its = is not to be shown either.
        String shown =
            line.startsWith("s3.") || line.startsWith("database.") ? "the line" : "'" + line + "'";
        throw new StartFailure(file + ", line " + (i + 1) + ": " + shown + " is not key = value");
      }
      String key = line.substring(0, equals).strip();
      Entry entry = new Entry(file, i + 1, key, line.substring(equals + 1).strip());
      if (!KEYS.contains(key) && !key.startsWith(SETTING_PREFIX)) {
        throw entry.failure("no such key; the keys are " + String.join(", ", KEYS) + ", session.*");
      }
      Entry earlier = entries.put(key, entry);
      if (earlier != null) {
        throw entry.failure("given twice, first in line " + earlier.line());
      }
    }
    return entries;
  }

  private static String address(@Nullable Entry entry) {
    if (entry == null) {
      return ServiceConfiguration.DEFAULTS.address();
    }
    try {
      return InetAddress.getByName(entry.value()).getHostAddress();
    } catch (UnknownHostException e) {
      throw entry.failure("no such address '" + entry.value() + "'");
    }
  }

  private static int portOrOff(@Nullable Entry entry, int otherwise) {
    return entry != null && entry.value().equals("off")
        ? ServiceConfiguration.OFF
        : (int) number(entry, 0, 65_535, otherwise);
  }

  private static Optional<ServiceConfiguration.Tls> tls(
      @Nullable Entry certificate, @Nullable Entry key) {
    if (certificate != null && key != null) {
      return Optional.of(new ServiceConfiguration.Tls(file(certificate), file(key)));
    }
    Entry alone = certificate == null ? key : certificate;
    if (alone != null) {
      throw alone.failure("tls.certificate and tls.key are given together");
    }
    return Optional.empty();
  }

  private static Path file(Entry entry) {
    Path file = Path.of(entry.value());
    if (!Files.isReadable(file) || Files.isDirectory(file)) {
      throw entry.failure("'" + entry.value() + "' is not a file that can be read");
    }
    return file;
  }

  private static List<String> roots(@Nullable Entry entry) {
    if (entry == null) {
      return List.of();
    }
    List<String> roots = new ArrayList<>();
    for (String name : entry.value().split(",", -1)) {
      try {
        roots.add(root(name.strip()));
      } catch (StartFailure e) {
        throw entry.failure(String.valueOf(e.getMessage()));
      }
    }
    return roots;
  }

  /** A directory by its real path, or a bucket. */
  public static String root(String name) {
    if (!FileRoots.isObject(name)) {
      return realDirectory(name).toString();
    }
    try {
      FileRoots.of(List.of(name));
      return name;
    } catch (IllegalArgumentException e) {
      throw new StartFailure(String.valueOf(e.getMessage()), e);
    }
  }

  /** Those roots that are directories. */
  public static List<Path> directories(List<String> roots) {
    return roots.stream().filter(root -> !FileRoots.isObject(root)).map(Path::of).toList();
  }

  private static Optional<String> warehouse(@Nullable Entry entry) {
    if (entry == null) {
      return Optional.empty();
    }
    try {
      FileRoots.of(List.of(entry.value()));
    } catch (IllegalArgumentException e) {
      throw entry.failure(String.valueOf(e.getMessage()));
    }
    return Optional.of(entry.value());
  }

  private static Optional<DatabaseConfiguration> database(Map<String, Entry> entries) {
    Entry url = entries.get("database.url");
    Entry user = entries.get("database.user");
    Entry password = entries.get("database.password");
    if (url == null) {
      Entry alone = user == null ? password : user;
      if (alone != null) {
        throw alone.failure("there is no database.url");
      }
      return Optional.empty();
    }
    if (!url.value().startsWith(DatabaseConfiguration.PREFIX)) {
      throw url.failure("it must begin with " + DatabaseConfiguration.PREFIX);
    }
    if (password != null) {
      requirePrivate(password);
    }
    return Optional.of(new DatabaseConfiguration(url.value(), value(user), value(password)));
  }

  private static S3Settings s3(Map<String, Entry> entries) {
    Entry access = entries.get("s3.access-key-id");
    Entry secret = entries.get("s3.secret-access-key");
    if ((access == null) != (secret == null)) {
      throw (access == null ? requireNonNull(secret) : access)
          .failure("s3.access-key-id and s3.secret-access-key are given together or not at all");
    }
    if (secret != null) {
      requirePrivate(secret);
    }
    return new S3Settings(
        endpoint(entries.get("s3.endpoint")),
        value(entries.get("s3.region")),
        isTrue(entries.get("s3.path-style")),
        access == null || secret == null
            ? Optional.empty()
            : Optional.of(
                new S3Settings.Keys(
                    access.value(), secret.value(), value(entries.get("s3.session-token")))));
  }

  /** A file with a secret is for its owner's eyes. */
  private static void requirePrivate(Entry secret) {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(secret.file());
      if (permissions.contains(PosixFilePermission.GROUP_READ)
          || permissions.contains(PosixFilePermission.OTHERS_READ)) {
        throw secret.failure(
            "others may read this file; make it private (chmod 600 " + secret.file() + ")");
      }
    } catch (IOException e) {
      throw new StartFailure("cannot read " + secret.file() + ": " + e.getMessage(), e);
    }
  }

  private static Optional<URI> endpoint(@Nullable Entry entry) {
    if (entry == null) {
      return Optional.empty();
    }
    try {
      URI uri = URI.create(entry.value());
      if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null
          && uri.getUserInfo() == null) {
        return Optional.of(uri);
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the same answer.
    }
    throw entry.failure("not an address such as https://s3.example.org:9000");
  }

  private static boolean isTrue(@Nullable Entry entry) {
    if (entry == null || entry.value().equals("false")) {
      return false;
    }
    if (entry.value().equals("true")) {
      return true;
    }
    throw entry.failure("'" + entry.value() + "' is neither true nor false");
  }

  private static Optional<String> value(@Nullable Entry entry) {
    return entry == null ? Optional.empty() : Optional.of(entry.value());
  }

  /** A directory that files may be read from and written to, by its real path. */
  public static Path realDirectory(String name) {
    Path directory = Path.of(name);
    if (name.isEmpty() || !Files.isDirectory(directory)) {
      throw new StartFailure("'" + name + "' is not a directory");
    }
    try {
      return directory.toRealPath();
    } catch (IOException e) {
      throw new StartFailure("cannot read directory '" + name + "': " + e.getMessage(), e);
    }
  }

  private static IndexConfiguration index(Map<String, Entry> entries) {
    IndexConfiguration d = IndexConfiguration.DEFAULTS;
    Entry background = entries.get("index.background");
    return new IndexConfiguration(
        background == null ? d.background() : isTrue(background),
        bytes(entries.get("index.check-bytes-per-second"), d.checkBytesPerSecond()));
  }

  private static Settings settings(Map<String, Entry> entries) {
    Settings settings = Settings.DEFAULTS;
    for (Entry entry : entries.values()) {
      if (entry.key().startsWith(SETTING_PREFIX)) {
        try {
          settings = settings.with(entry.key().substring(SETTING_PREFIX.length()), entry.value());
        } catch (VarveException e) {
          throw entry.failure(e.describe());
        }
      }
    }
    return settings;
  }

  private static long number(@Nullable Entry entry, long min, long max, long otherwise) {
    return entry == null ? otherwise : entry.number(min, max);
  }

  private static long bytes(@Nullable Entry entry, long otherwise) {
    return entry == null ? otherwise : entry.bytes();
  }

  private static Duration seconds(@Nullable Entry entry, Duration otherwise) {
    return entry == null ? otherwise : entry.seconds();
  }
}
