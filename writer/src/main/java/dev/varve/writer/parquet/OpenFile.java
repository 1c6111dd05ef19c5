package dev.varve.writer.parquet;

import dev.varve.layout.KeyRange;
import dev.varve.layout.io.Abortable;
import dev.varve.writer.option.WriterOptions;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.io.OutputFile;
import org.apache.parquet.format.SortingColumn;
import org.jspecify.annotations.Nullable;

/** A file that is being written. Confined to one task. */
final class OpenFile {
  private static final int BUFFER_BYTES = 1 << 16;

  private final String location;
  private final OutputStream target;
  private final OutputStream stream;
  private final ParquetFileOutput output;
  private final List<WrittenFile.WrittenRowGroup> rowGroups = new ArrayList<>();
  private List<WrittenColumn> openColumns = new ArrayList<>();
  private @Nullable KeyRange range;
  private boolean ordered = true;
  private long rows;

  OpenFile(OutputFile file, List<ParquetColumn> columns, WriterOptions options) throws IOException {
    this.location = file.location();
    this.target = file.create();
    this.stream = new BufferedOutputStream(target, BUFFER_BYTES);
    this.output = new ParquetFileOutput(stream, columns, options);
  }

  String location() {
    return location;
  }

  boolean isOrdered() {
    return ordered;
  }

  void setDisordered() {
    ordered = false;
  }

  void setRange(KeyRange keys) {
    range = keys;
  }

  long position() {
    return output.position();
  }

  long heldBytes() {
    return output.heldBytes();
  }

  void writeChunk(EncodedChunk chunk) throws IOException {
    output.writeChunk(chunk);
    openColumns.add(WrittenColumn.of(chunk));
  }

  void endRowGroup(long rowCount) {
    long start = output.endRowGroup(rowCount);
    rowGroups.add(new WrittenFile.WrittenRowGroup(start, rowCount, openColumns));
    openColumns = new ArrayList<>();
    rows += rowCount;
  }

  WrittenFile finish(List<SortingColumn> sorting, Map<String, String> metadata) throws IOException {
    output.finish(ordered ? sorting : List.of(), metadata);
    stream.close();
    return new WrittenFile(
        location,
        output.position(),
        rows,
        rowGroups,
        ordered ? Optional.ofNullable(range) : Optional.empty());
  }

  /** Closes the stream; what it wrote is of no use. */
  void abandon() {
    if (target instanceof Abortable abortable) {
      abortable.abort();
      return;
    }
    try {
      stream.close();
    } catch (IOException | RuntimeException e) {
      // The file is incomplete anyway and will be removed.
    }
  }
}
