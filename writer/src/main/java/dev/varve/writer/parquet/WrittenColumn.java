package dev.varve.writer.parquet;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is known, exactly, of one column in a row group or, merged, in a file. */
public final class WrittenColumn {
  private final ParquetColumn column;
  private final PageStatistics statistics;
  private final long rows;
  private final long compressedBytes;
  private final long distinct;

  private WrittenColumn(
      ParquetColumn column,
      PageStatistics statistics,
      long rows,
      long compressedBytes,
      long distinct) {
    this.column = column;
    this.statistics = statistics;
    this.rows = rows;
    this.compressedBytes = compressedBytes;
    this.distinct = distinct;
  }

  static WrittenColumn of(EncodedChunk chunk) {
    return new WrittenColumn(
        chunk.column(),
        chunk.statistics(),
        chunk.rows(),
        chunk.compressedBytes(),
        chunk.distinct());
  }

  public WrittenColumn merge(WrittenColumn other) {
    return new WrittenColumn(
        column,
        statistics.merge(other.statistics, ValueOrder.of(column)),
        rows + other.rows,
        compressedBytes + other.compressedBytes,
        // Which of them are the same is not known.
        -1);
  }

  public ParquetColumn column() {
    return column;
  }

  public long rows() {
    return rows;
  }

  public long nulls() {
    return statistics.nulls();
  }

  public long nans() {
    return statistics.nans();
  }

  public boolean mayHaveNans() {
    return column.isFloating();
  }

  public long compressedBytes() {
    return compressedBytes;
  }

  /** How many distinct values there are; empty if that was not counted. */
  public OptionalLong distinct() {
    return distinct < 0 ? OptionalLong.empty() : OptionalLong.of(distinct);
  }

  /** The least value that is neither null nor NaN, as {@link dev.varve.layout.key.KeyType} says. */
  public @Nullable Object least() {
    return value(statistics.min());
  }

  /** The greatest value that is neither null nor NaN. */
  public @Nullable Object greatest() {
    return value(statistics.max());
  }

  private @Nullable Object value(@Nullable Object stored) {
    return switch (stored) {
      case null -> null;
      case Long number ->
          switch (column.keyType()) {
            case BOOLEAN -> number != 0;
            case DECIMAL -> BigInteger.valueOf(number);
            default -> number;
          };
      case byte[] bytes ->
          switch (column.keyType()) {
            case STRING -> new String(bytes, StandardCharsets.UTF_8);
            case DECIMAL -> new BigInteger(bytes);
            case UUID -> {
              ByteBuffer buffer = ByteBuffer.wrap(bytes);
              yield new UUID(buffer.getLong(), buffer.getLong());
            }
            default -> bytes;
          };
      default -> stored;
    };
  }
}
