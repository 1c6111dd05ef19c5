package dev.varve.writer.option;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * From the options that people write, or the properties that tables have, to {@link WriterOptions}.
 */
public final class OptionReader {
  private OptionReader() {}

  /**
   * Reads options by their short names over {@code defaults}.
   *
   * @param others names that the caller understands and takes out by itself
   * @throws VarveException INVALID_PARAMETER for an unknown name, a value that does not fit, or a
   *     column that is not among {@code columns}
   */
  public static WriterOptions read(
      Map<String, String> options,
      Collection<String> columns,
      WriterOptions defaults,
      Set<String> others) {
    WriterOptionsBuilder builder = new WriterOptionsBuilder(defaults);
    for (Map.Entry<String, String> entry : options.entrySet()) {
      String name = entry.getKey().toLowerCase(Locale.ROOT);
      if (!others.contains(name)) {
        set(find(name, others), entry.getKey(), entry.getValue(), builder);
      }
    }
    for (String column : builder.bloomColumns) {
      requireColumn(column, columns);
    }
    WriterOptions read = builder.build();
    if (options.containsKey(WriterOption.BLOOM_FPP.shortName()) && read.bloomColumns().isEmpty()) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "option 'bloom_fpp' is given, but no column has a bloom filter",
          null,
          "name the columns in bloom_columns",
          null);
    }
    return read;
  }

  /**
   * The table properties that stand for options by their short names.
   *
   * @throws VarveException as {@link #read}
   */
  public static Map<String, String> toProperties(
      Map<String, String> options, Collection<String> columns) {
    WriterOptions read = read(options, columns, WriterOptions.DEFAULTS, Set.of());
    Map<String, String> properties = new TreeMap<>();
    for (String name : options.keySet()) {
      WriterOption option = find(name.toLowerCase(Locale.ROOT), Set.of());
      switch (option) {
        case ROW_GROUP_ROWS ->
            properties.put(option.property(), Long.toString(read.rowGroupRows()));
        case ROW_GROUP_BYTES ->
            properties.put(option.property(), Long.toString(read.rowGroupBytes()));
        case PAGE_ROWS -> properties.put(option.property(), Integer.toString(read.pageRows()));
        case PAGE_BYTES -> properties.put(option.property(), Integer.toString(read.pageBytes()));
        case DICTIONARY_BYTES ->
            properties.put(option.property(), Integer.toString(read.dictionaryBytes()));
        case TRUNCATE -> properties.put(option.property(), Integer.toString(read.truncateBytes()));
        case COMPRESSION -> properties.put(option.property(), read.codec().text());
        case COMPRESSION_LEVEL ->
            properties.put(option.property(), Integer.toString(read.compressionLevel()));
        case BLOOM_COLUMNS ->
            read.bloomColumns().forEach(c -> properties.put(option.property() + c, "true"));
        case BLOOM_FPP ->
            read.bloomColumns()
                .forEach(
                    c -> properties.put(option.property() + c, Double.toString(read.bloomFpp())));
        case TARGET_FILE_BYTES ->
            properties.put(option.property(), Long.toString(read.targetFileBytes()));
      }
    }
    return properties;
  }

  /**
   * The options that a table's properties stand for. Properties that say nothing about writing are
   * left alone, and so are bloom filters of columns that are gone.
   *
   * @throws VarveException INVALID_PARAMETER for a value that does not fit, naming the property
   */
  public static WriterOptions ofTable(Map<String, String> properties, Collection<String> columns) {
    WriterOptionsBuilder builder = new WriterOptionsBuilder(WriterOptions.DEFAULTS);
    for (WriterOption option : WriterOption.values()) {
      String value = properties.get(option.property());
      if (!option.isPerColumn() && value != null) {
        set(option, option.property(), value, builder);
      }
    }
    Set<String> bloom = new TreeSet<>();
    for (String column : columns) {
      if (Boolean.parseBoolean(properties.get(WriterOption.BLOOM_COLUMNS.property() + column))) {
        bloom.add(column);
        String fpp = WriterOption.BLOOM_FPP.property() + column;
        String value = properties.get(fpp);
        if (value != null) {
          set(WriterOption.BLOOM_FPP, fpp, value, builder);
        }
      }
    }
    builder.bloomColumns = bloom;
    return builder.build();
  }

  /**
   * {@code true} or {@code false}.
   *
   * @throws VarveException INVALID_PARAMETER for anything else
   */
  public static boolean flag(String name, String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "true", "on", "yes", "1" -> true;
      case "false", "off", "no", "0" -> false;
      default -> throw invalid(name, value, "it must be true or false", null);
    };
  }

  /**
   * {@code name = value, name = value}, as procedures take it.
   *
   * @throws VarveException INVALID_PARAMETER if it is not of that form
   */
  public static Map<String, String> parseList(String text) {
    Map<String, String> options = new TreeMap<>();
    for (String part : text.split(",")) {
      if (part.isBlank()) {
        continue;
      }
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new VarveException(
            ErrorCode.INVALID_PARAMETER,
            "'" + part.strip() + "' is not an option",
            null,
            "write name = value, separated by commas",
            null);
      }
      options.put(
          part.substring(0, equals).strip().toLowerCase(Locale.ROOT),
          part.substring(equals + 1).strip());
    }
    return options;
  }

  private static void set(
      WriterOption option, String name, String value, WriterOptionsBuilder builder) {
    try {
      option.set(builder, value);
    } catch (IllegalArgumentException e) {
      throw invalid(name, value, String.valueOf(e.getMessage()), e);
    }
  }

  private static WriterOption find(String name, Set<String> others) {
    for (WriterOption option : WriterOption.values()) {
      if (option.shortName().equals(name)) {
        return option;
      }
    }
    List<String> known = new ArrayList<>(WriterOption.shortNames());
    known.addAll(new TreeSet<>(others));
    throw new VarveException(
        ErrorCode.INVALID_PARAMETER,
        "unknown option '" + name + "'",
        null,
        Suggestion.hint(name, known),
        null);
  }

  private static void requireColumn(String column, Collection<String> columns) {
    if (!columns.contains(column)) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "option 'bloom_columns' names column '" + column + "', which does not exist",
          null,
          Suggestion.hint(column, new LinkedHashSet<>(columns)),
          null);
    }
  }

  private static VarveException invalid(
      String name,
      String value,
      String reason,
      @org.jspecify.annotations.Nullable Throwable cause) {
    return new VarveException(
        ErrorCode.INVALID_PARAMETER,
        "option '" + name + "' cannot be '" + value + "': " + reason,
        cause);
  }
}
