package dev.varve.service.postgres;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings of PostgreSQL that clients set or ask for and that are not the engine's. Most have one
 * value here, which can be set to itself. Confined to the connection's thread.
 */
final class ClientSettings {
  /** Which can be set to anything, since nothing depends on them. */
  private static final Map<String, String> FREE =
      Map.of(
          "application_name", "",
          "extra_float_digits", "1",
          "client_min_messages", "notice",
          "lock_timeout", "0",
          "idle_in_transaction_session_timeout", "0",
          "row_security", "off",
          "synchronous_commit", "on",
          "jit", "off",
          "search_path", "");

  private static final Map<String, String> FIXED =
      Map.ofEntries(
          Map.entry("client_encoding", "UTF8"),
          Map.entry("server_encoding", "UTF8"),
          Map.entry("datestyle", "ISO, MDY"),
          Map.entry("intervalstyle", "postgres"),
          Map.entry("standard_conforming_strings", "on"),
          Map.entry("integer_datetimes", "on"),
          Map.entry("bytea_output", "hex"),
          Map.entry("default_transaction_isolation", "read committed"),
          Map.entry("transaction_isolation", "read committed"),
          Map.entry("default_transaction_read_only", "off"),
          Map.entry("transaction_read_only", "off"),
          Map.entry("max_index_keys", "32"),
          Map.entry("max_identifier_length", "63"),
          Map.entry("is_superuser", "off"),
          Map.entry("server_version", ServerVersion.NUMBER),
          Map.entry("server_version_num", "90426"));

  private final Map<String, String> values = new TreeMap<>(FREE);

  ClientSettings() {
    values.putAll(FIXED);
  }

  boolean has(String name) {
    return values.containsKey(name.toLowerCase(Locale.ROOT));
  }

  /** Null for a setting that is not here. */
  @Nullable String get(String name) {
    return values.get(name.toLowerCase(Locale.ROOT));
  }

  Map<String, String> all() {
    return Map.copyOf(values);
  }

  void set(String name, String value) {
    String key = name.toLowerCase(Locale.ROOT);
    String only = FIXED.get(key);
    if (only != null && !same(only, value)) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED, name + " is '" + only + "' and cannot be changed");
    }
    if (only == null) {
      values.put(key, value);
    }
  }

  /**
   * {@code ISO} is the first half of {@code ISO, MDY}; encodings are written with and without -.
   */
  private static boolean same(String only, String value) {
    String wanted = value.replace("-", "").strip();
    return wanted.equalsIgnoreCase("default")
        || only.equalsIgnoreCase(wanted)
        || wanted.equalsIgnoreCase("unicode")
        || only.toLowerCase(Locale.ROOT).startsWith(wanted.toLowerCase(Locale.ROOT) + ",");
  }

  void reset() {
    values.putAll(FREE);
  }
}
