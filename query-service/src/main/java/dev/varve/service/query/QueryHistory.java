package dev.varve.service.query;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The queries of this node, also those from before its last start. Two files of JSON lines hold
 * them: a line when a query starts and another when it ends, so that one without the second was
 * lost with its process. A full file replaces the older one, and what only that one had is
 * forgotten. A file that cannot be written costs the history, never a query. Safe for concurrent
 * use.
 */
final class QueryHistory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(QueryHistory.class);
  private static final int MAX_SQL_CHARACTERS = 20_000;

  private final Path file;
  private final Path olderFile;
  private final long maxFileBytes;
  private final JsonMapper json;

  /** By id; of the file that is written, and of the older one. */
  private Map<String, QueryRecord> records = new LinkedHashMap<>();

  private Map<String, QueryRecord> older = new LinkedHashMap<>();
  private @Nullable OutputStream out;
  private long written;
  private boolean failing;

  /** Reads what is there; a line that is cut or of another shape is left out. */
  QueryHistory(Path folder, long maxFileBytes, JsonMapper json) {
    this.file = folder.resolve("queries.ndjson");
    this.olderFile = folder.resolve("queries.1.ndjson");
    this.maxFileBytes = maxFileBytes;
    this.json = json;
    try {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      older = read(olderFile);
      records = read(file);
      // A query that ended after the files changed has both its lines, but in two files.
      older.keySet().removeAll(records.keySet());
      older.replaceAll((_, record) -> record.hasEnded() ? record : record.lost());
      records.replaceAll((_, record) -> record.hasEnded() ? record : record.lost());
      open(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("the history in " + folder + " cannot be opened", e);
    }
  }

  private Map<String, QueryRecord> read(Path from) throws IOException {
    Map<String, QueryRecord> found = new LinkedHashMap<>();
    if (!Files.exists(from)) {
      return found;
    }
    int unreadable = 0;
    String text = new String(Files.readAllBytes(from), StandardCharsets.UTF_8);
    for (String line : text.lines().toList()) {
      try {
        QueryRecord record = json.readValue(line, QueryRecord.class);
        found.put(record.id(), record);
      } catch (JacksonException | NullPointerException e) {
        unreadable++;
      }
    }
    if (unreadable > 0) {
      LOG.warn("{} lines of {} cannot be read and are left out", unreadable, from);
    }
    return found;
  }

  private void open(StandardOpenOption... options) throws IOException {
    out = Files.newOutputStream(file, options);
    written = Files.size(file);
    // After a cut line, the next one would be lost with it.
    if (written > 0) {
      out.write('\n');
    }
  }

  /** Keeps a query that starts, or that has ended. */
  synchronized void put(QueryRecord record) {
    QueryRecord kept =
        record.sql().length() > MAX_SQL_CHARACTERS
            ? record.withSql(record.sql().substring(0, MAX_SQL_CHARACTERS) + " ...")
            : record;
    records.put(kept.id(), kept);
    try {
      byte[] line = line(kept);
      if (written + line.length > maxFileBytes) {
        change();
      }
      write(line);
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        LOG.warn("the history of queries cannot be written to {}", file, e);
      }
      failing = true;
    }
  }

  private byte[] line(QueryRecord record) {
    return (json.writeValueAsString(record) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private void write(byte[] line) throws IOException {
    OutputStream to = out;
    if (to != null) {
      to.write(line);
      written += line.length;
    }
  }

  /** Begins a new file, with the queries that still run. */
  private void change() throws IOException {
    close();
    Files.move(file, olderFile, StandardCopyOption.REPLACE_EXISTING);
    open(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
    older = records;
    records = new LinkedHashMap<>();
    for (QueryRecord record : older.values()) {
      if (!record.hasEnded() && !record.state().equals(QueryRecord.LOST)) {
        records.put(record.id(), record);
        write(line(record));
      }
    }
    older.keySet().removeAll(records.keySet());
  }

  synchronized Optional<QueryRecord> find(String id) {
    QueryRecord found = records.get(id);
    return Optional.ofNullable(found != null ? found : older.get(id));
  }

  /** All of them, the latest first. */
  synchronized List<QueryRecord> latestFirst() {
    List<QueryRecord> all = new ArrayList<>(older.size() + records.size());
    all.addAll(older.values());
    all.addAll(records.values());
    all.sort(Comparator.comparing(QueryRecord::submittedAt).reversed());
    return all;
  }

  @Override
  public synchronized void close() {
    OutputStream open = out;
    out = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.warn("the history {} did not close", file, e);
      }
    }
  }
}
