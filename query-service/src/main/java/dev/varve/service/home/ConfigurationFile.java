package dev.varve.service.home;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
          "files.roots",
          "queries.max-sql-length",
          "queries.max-running",
          "queries.result-buffer-bytes",
          "queries.abandoned-after-seconds",
          "queries.kept-for-seconds",
          "sessions.max",
          "sessions.abandoned-after-seconds",
          "spill.max-bytes");

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
    return new ServiceConfiguration(
        address(entries.get("server.address")),
        (int) number(entries.get("server.port"), 0, 65_535, d.port()),
        roots(entries.get("files.roots")),
        bytes(entries.get("server.max-body-bytes"), d.maxBodyBytes()),
        (int) number(entries.get("queries.max-sql-length"), 1, 100_000_000, d.maxSqlLength()),
        (int) number(entries.get("queries.max-running"), 1, 100_000, d.maxRunningQueries()),
        (int) number(entries.get("sessions.max"), 1, 1_000_000, d.maxSessions()),
        bytes(entries.get("queries.result-buffer-bytes"), d.resultBufferBytes()),
        seconds(entries.get("queries.abandoned-after-seconds"), d.queryAbandonedAfter()),
        seconds(entries.get("queries.kept-for-seconds"), d.queryKeptFor()),
        seconds(entries.get("sessions.abandoned-after-seconds"), d.sessionAbandonedAfter()),
        bytes(entries.get("spill.max-bytes"), d.spillBytes()),
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
        throw new StartFailure(file + ", line " + (i + 1) + ": '" + line + "' is not key = value");
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

  private static List<Path> roots(@Nullable Entry entry) {
    if (entry == null) {
      return List.of();
    }
    List<Path> roots = new ArrayList<>();
    for (String name : entry.value().split(",", -1)) {
      try {
        roots.add(realDirectory(name.strip()));
      } catch (StartFailure e) {
        throw entry.failure(String.valueOf(e.getMessage()));
      }
    }
    return roots;
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
