package dev.varve.engine.differential;

import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.type.DataType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table as Parquet files in all the ways that files come: by DuckDB or by parquet-java,
 * one or several, sorted or not, empty, of small row groups and pages, dictionary encoded or plain.
 */
final class TableFiles {
  private static final int ROWS_PER_INSERT = 500;

  private final Connection duckdb;

  TableFiles(Connection duckdb) {
    this.duckdb = duckdb;
  }

  TestTable write(
      Path folder,
      String name,
      List<TestColumn> columns,
      List<List<@Nullable Object>> rows,
      Random random)
      throws SQLException {
    Path home = folder.resolve(name);
    try {
      Files.createDirectories(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<List<@Nullable Object>> inOrder = new ArrayList<>(rows);
    if (random.nextBoolean()) {
      inOrder.sort(by(random.nextInt(columns.size())));
    }
    int count = 1 + random.nextInt(4);
    int from = 0;
    for (int i = 0; i < count; i++) {
      int to = i == count - 1 ? rows.size() : from + random.nextInt(rows.size() - from + 1);
      List<List<@Nullable Object>> part = inOrder.subList(from, to);
      Path file = home.resolve("part-" + i + ".parquet");
      if (random.nextBoolean()) {
        byDuckDb(file, columns, part, random);
      } else {
        byParquetJava(file, columns, part, random);
      }
      from = to;
    }
    return new TestTable(name, columns, rows, home + "/*.parquet");
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Comparator<List<@Nullable Object>> by(int column) {
    Comparator<@Nullable Comparable> order = Comparator.nullsLast(Comparator.naturalOrder());
    return (left, right) ->
        order.compare(
            left.get(column) instanceof Comparable a ? a : null,
            right.get(column) instanceof Comparable b ? b : null);
  }

  private void byDuckDb(
      Path file, List<TestColumn> columns, List<List<@Nullable Object>> rows, Random random)
      throws SQLException {
    try (Statement statement = duckdb.createStatement()) {
      statement.execute("CREATE OR REPLACE TEMP TABLE part (" + ddl(columns) + ")");
      for (int from = 0; from < rows.size(); from += ROWS_PER_INSERT) {
        statement.execute(
            insert(
                "part",
                columns,
                rows.subList(from, Math.min(rows.size(), from + ROWS_PER_INSERT))));
      }
      String codec = List.of("snappy", "zstd", "uncompressed").get(random.nextInt(3));
      statement.execute(
          "COPY part TO '"
              + file
              + "' (FORMAT parquet, ROW_GROUP_SIZE 2048, COMPRESSION "
              + codec
              + (random.nextBoolean() ? ", PARQUET_VERSION V2" : "")
              + ")");
    }
  }

  static String ddl(List<TestColumn> columns) {
    return columns.stream()
        .map(c -> c.name() + " " + c.type() + (c.nullable() ? "" : " NOT NULL"))
        .collect(Collectors.joining(", "));
  }

  static String insert(String table, List<TestColumn> columns, List<List<@Nullable Object>> rows) {
    StringBuilder sql = new StringBuilder("INSERT INTO " + table + " VALUES ");
    String separator = "";
    for (List<@Nullable Object> row : rows) {
      sql.append(separator).append('(');
      for (int c = 0; c < columns.size(); c++) {
        sql.append(c == 0 ? "" : ", ").append(text(columns.get(c).type(), row.get(c)));
      }
      sql.append(')');
      separator = ", ";
    }
    return sql.toString();
  }

  private static String text(DataType type, @Nullable Object value) {
    return value instanceof byte[] bytes
        ? "CAST('"
            + java.util.stream.IntStream.range(0, bytes.length)
                .mapToObj(i -> "\\x%02X".formatted(bytes[i]))
                .collect(Collectors.joining())
            + "' AS BLOB)"
        : SqlValues.literal(type, value);
  }

  private static void byParquetJava(
      Path file, List<TestColumn> columns, List<List<@Nullable Object>> rows, Random random) {
    // A decimal is an integer where it fits, or always bytes of a fixed length.
    boolean integers = random.nextInt(3) != 0;
    StringBuilder schema = new StringBuilder("message m {");
    for (TestColumn column : columns) {
      schema
          .append(column.nullable() ? " optional " : " required ")
          .append(field(column, integers))
          .append(';');
    }
    ParquetFile writer =
        ParquetFile.of(schema + " }")
            .rowsPerGroup(1 + random.nextInt(random.nextBoolean() ? 40 : 5000))
            .rowsPerPage(1 + random.nextInt(random.nextBoolean() ? 20 : 1000))
            .dictionary(random.nextBoolean())
            .codec(
                random.nextBoolean()
                    ? CompressionCodecName.SNAPPY
                    : CompressionCodecName.UNCOMPRESSED);
    if (random.nextBoolean()) {
      writer = writer.version2();
    }
    for (TestColumn column : columns) {
      if (random.nextInt(6) == 0 && column.type() != DataType.BOOLEAN) {
        writer = writer.bloomFilter(column.name());
      }
    }
    List<List<@Nullable Object>> physical = new ArrayList<>();
    for (List<@Nullable Object> row : rows) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int c = 0; c < columns.size(); c++) {
        values.add(physical(row.get(c), columns.get(c).type(), integers));
      }
      physical.add(Collections.unmodifiableList(values));
    }
    writer.write(file, physical);
  }

  private static String field(TestColumn column, boolean integers) {
    String name = column.name();
    DataType type = column.type();
    return switch (type.kind()) {
      case BOOLEAN -> "boolean " + name;
      case SMALLINT -> "int32 " + name + " (INTEGER(16,true))";
      case INTEGER -> "int32 " + name;
      case BIGINT -> "int64 " + name;
      case REAL -> "float " + name;
      case DOUBLE -> "double " + name;
      case DECIMAL ->
          (!integers || type.precision() > DataType.MAX_LONG_PRECISION
                  ? "fixed_len_byte_array(16) "
                  : type.precision() > 9 ? "int64 " : "int32 ")
              + name
              + " (DECIMAL("
              + type.precision()
              + ","
              + type.scale()
              + "))";
      case DATE -> "int32 " + name + " (DATE)";
      case TIME -> "int64 " + name + " (TIME(MICROS,false))";
      case TIMESTAMP -> "int64 " + name + " (TIMESTAMP(MICROS,false))";
      case TIMESTAMPTZ -> "int64 " + name + " (TIMESTAMP(MICROS,true))";
      case VARCHAR -> "binary " + name + " (STRING)";
      case VARBINARY -> "binary " + name;
      case UUID -> "fixed_len_byte_array(16) " + name + " (UUID)";
      case NULL, INTERVAL_DAY, INTERVAL_MONTH -> throw new IllegalArgumentException("" + type);
    };
  }

  private static @Nullable Object physical(
      @Nullable Object value, DataType type, boolean integers) {
    return switch (value) {
      case null -> null;
      case BigDecimal d when !integers || type.precision() > DataType.MAX_LONG_PRECISION -> wide(d);
      case BigDecimal d when type.precision() > 9 -> d.unscaledValue().longValueExact();
      case BigDecimal d -> d.unscaledValue().intValueExact();
      case LocalDate d -> (int) d.toEpochDay();
      case LocalTime t -> t.toNanoOfDay() / 1000;
      case LocalDateTime t -> micros(t.toInstant(ZoneOffset.UTC));
      case Instant t -> micros(t);
      case UUID u ->
          ByteBuffer.allocate(16)
              .putLong(u.getMostSignificantBits())
              .putLong(u.getLeastSignificantBits())
              .array();
      default -> value;
    };
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static byte[] wide(BigDecimal value) {
    byte[] bytes = value.unscaledValue().toByteArray();
    byte[] fixed = new byte[16];
    Arrays.fill(fixed, (byte) (bytes[0] < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, fixed, 16 - bytes.length, bytes.length);
    return fixed;
  }
}
