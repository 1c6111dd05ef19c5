package dev.varve.engine.scan;

import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.parquet.ColumnChunkReader;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.FooterReader;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.engine.parquet.ParquetInput;
import dev.varve.engine.parquet.RowGroupReader;
import dev.varve.engine.parquet.RowRanges;
import dev.varve.engine.parquet.ScanBuffers;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.jspecify.annotations.Nullable;

/** Reads delete files: Parquet files of positions or of values, and deletion vectors. */
final class DeleteFileReader {
  private static final int BATCH_ROWS = 8192;

  /** What a deletion vector takes besides its bytes while it is taken apart. */
  private static final int VECTOR_SHARE = 3;

  private static final ScanColumn PATH =
      reserved(MetadataColumns.DELETE_FILE_PATH.fieldId(), "file_path", DataType.VARCHAR);
  private static final ScanColumn POSITION =
      reserved(MetadataColumns.DELETE_FILE_POS.fieldId(), "pos", DataType.BIGINT);

  private final ScanTable table;
  private final ScanBuffers buffers;
  private final MemoryReservation memory;
  private final MetricSet metrics;
  private final ParquetInput.Blocking blocking;
  private final Runnable progress;

  /**
   * @param memory for what is held while a file is read
   * @param progress called between batches; it throws to end the reading
   */
  DeleteFileReader(
      ScanTable table,
      ScanBuffers buffers,
      MemoryReservation memory,
      MetricSet metrics,
      ParquetInput.Blocking blocking,
      Runnable progress) {
    this.table = table;
    this.buffers = buffers;
    this.memory = memory;
    this.metrics = metrics;
    this.blocking = blocking;
    this.progress = progress;
  }

  private static ScanColumn reserved(int id, String name, DataType type) {
    return new ScanColumn(new Field(name, type, false, id), id, Optional.empty(), Optional.empty());
  }

  /** Gives rows of a delete file: one column for each that was asked for. */
  interface Rows {
    void accept(Column[] columns, int count);
  }

  /** Gives the deleted positions of a data file. */
  interface Positions {
    void accept(String path, long position);
  }

  /** Whether a delete file is a deletion vector, and not a Parquet file. */
  static boolean isVector(DeleteFile file) {
    return file.format() == FileFormat.PUFFIN;
  }

  /**
   * Reads a deletion vector.
   *
   * @throws VarveException FILE_CORRUPT if it is damaged
   */
  void readVector(DeleteFile file, LongConsumer positions) {
    Long offset = file.contentOffset();
    Long size = file.contentSizeInBytes();
    if (offset == null || size == null || size < 0 || size > Integer.MAX_VALUE - 16) {
      throw corrupt(file, "its place in the file is not given: " + offset + ", " + size, null);
    }
    long held = VECTOR_SHARE * size;
    memory.grow(held);
    try (ParquetInput input = open(file)) {
      byte[] bytes = new byte[Math.toIntExact(size)];
      input.readFully(offset, bytes, 0, bytes.length);
      PositionDeleteIndex deleted;
      try {
        deleted = PositionDeleteIndex.deserialize(bytes, file);
      } catch (RuntimeException e) {
        throw corrupt(file, "the deletion vector at " + offset + " is damaged: " + message(e), e);
      }
      deleted.forEach(positions);
    } finally {
      memory.shrink(held);
    }
    metrics.add("delete_files_read", 1);
  }

  /** Reads a Parquet file of positions. */
  void readPositions(DeleteFile file, Positions positions) {
    LastPath last = new LastPath();
    read(
        file,
        List.of(PATH, POSITION),
        (columns, count) -> {
          BytesColumn paths = (BytesColumn) columns[0].flat();
          LongColumn places = (LongColumn) columns[1].flat();
          for (int i = 0; i < count; i++) {
            if (paths.isNull(i) || places.isNull(i)) {
              throw corrupt(file, "a deleted position is null", null);
            }
            positions.accept(last.at(paths, i), places.get(i));
          }
        });
  }

  /** Files of positions are sorted by path, so that each path is made a string once. */
  private static final class LastPath {
    private byte[] bytes = {};
    private String path = "";

    String at(BytesColumn paths, int row) {
      if (!Arrays.equals(paths.data(), paths.start(row), paths.end(row), bytes, 0, bytes.length)) {
        bytes = paths.getBytes(row);
        path = paths.getString(row);
      }
      return path;
    }
  }

  /** Reads columns of a Parquet delete file, whole. */
  void read(DeleteFile file, List<ScanColumn> wanted, Rows rows) {
    if (file.format() != FileFormat.PARQUET) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "table "
              + table.name()
              + " has a delete file in format "
              + file.format()
              + ", which is not supported: "
              + file.location());
    }
    try (ParquetInput input = open(file)) {
      ParquetFooter footer = FooterReader.read(input, table.footers());
      @Nullable FileColumn[] columns = new FileColumn[wanted.size()];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = find(file, footer, wanted.get(i));
      }
      for (int group = 0; group < footer.rowGroups().size(); group++) {
        readRowGroup(input, footer, group, wanted, columns, rows);
      }
    }
    metrics.add("delete_files_read", 1);
  }

  private ParquetInput open(DeleteFile file) {
    return new ParquetInput(
        table.io().newInputFile(file.location(), file.fileSizeInBytes()),
        file.fileSizeInBytes(),
        blocking,
        bytes -> metrics.add("bytes_read", bytes));
  }

  /** By field id; writers always give ids here, but for those of the two reserved columns. */
  private @Nullable FileColumn find(DeleteFile file, ParquetFooter footer, ScanColumn wanted) {
    boolean hasIds = footer.columns().stream().anyMatch(c -> c.fieldId() >= 0);
    boolean isReserved = wanted == PATH || wanted == POSITION;
    for (FileColumn column : footer.columns()) {
      if (hasIds
          ? column.fieldId() == wanted.id()
          : isReserved && column.name().equals(wanted.name())) {
        if (column.isNested()) {
          throw corrupt(file, "its column " + column.name() + " is nested", null);
        }
        return column;
      }
    }
    if (!hasIds || isReserved || wanted.defaultValue().isEmpty()) {
      throw corrupt(file, "it has no column " + wanted.name() + " with its field id", null);
    }
    return null;
  }

  private void readRowGroup(
      ParquetInput input,
      ParquetFooter footer,
      int group,
      List<ScanColumn> wanted,
      @Nullable FileColumn[] columns,
      Rows rows) {
    long total = footer.rowGroups().get(group).getRowCount();
    try (RowGroupReader reader = new RowGroupReader(input, footer, group, buffers)) {
      @Nullable ColumnChunkReader[] chunks = new ColumnChunkReader[columns.length];
      List<ColumnChunkReader> opened = new ArrayList<>();
      for (int i = 0; i < columns.length; i++) {
        FileColumn column = columns[i];
        if (column != null) {
          ColumnChunkReader chunk =
              reader.open(column, wanted.get(i).type(), null, RowRanges.all(total));
          chunks[i] = chunk;
          opened.add(chunk);
        }
      }
      reader.prefetch(opened);
      for (long at = 0; at < total; at += BATCH_ROWS) {
        progress.run();
        int count = (int) Math.min(BATCH_ROWS, total - at);
        Column[] values = new Column[columns.length];
        for (int i = 0; i < columns.length; i++) {
          ColumnChunkReader chunk = chunks[i];
          values[i] =
              chunk == null
                  ? wanted.get(i).defaultValue().orElseThrow().take(new int[count], count)
                  : chunk.read(count);
        }
        rows.accept(values, count);
      }
    }
  }

  private VarveException corrupt(DeleteFile file, String what, @Nullable Exception cause) {
    return new VarveException(
        ErrorCode.FILE_CORRUPT,
        "delete file " + file.location() + " of " + table.name() + ": " + what,
        cause);
  }

  private static String message(RuntimeException failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
