package dev.varve.engine.parquet;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.jspecify.annotations.Nullable;

/**
 * Opens the columns of one row group and reads small neighbouring chunks together. Whoever opens a
 * row group closes it, and with it every column. Confined to one task.
 */
public final class RowGroupReader implements AutoCloseable {
  /** Pieces this near to each other are read at once, with what lies between. */
  private static final int GAP_BYTES = 16 << 10;

  private static final int SMALL_BYTES = 512 << 10;
  private static final int TOGETHER_BYTES = 4 << 20;

  private final ParquetInput input;
  private final ParquetFooter footer;
  private final int rowGroup;
  private final ScanBuffers buffers;
  private final List<ColumnChunkReader> columns = new ArrayList<>();
  private final List<byte[]> shared = new ArrayList<>();

  public RowGroupReader(
      ParquetInput input, ParquetFooter footer, int rowGroup, ScanBuffers buffers) {
    this.input = input;
    this.footer = footer;
    this.rowGroup = rowGroup;
    this.buffers = buffers;
  }

  /**
   * A reader of one flat column; nothing is read yet.
   *
   * @param locations where its pages are, if known
   * @param rows the rows that will be read, the others being skipped; only a hint what to fetch
   */
  public ColumnChunkReader open(
      FileColumn column, DataType type, @Nullable PageLocations locations, RowRanges rows) {
    ColumnChunkMetaData chunk = footer.chunk(rowGroup, column);
    long start = chunk.getStartingPos();
    long end = start + chunk.getTotalSize();
    if (start < 0 || end < start || end > footer.fileSize()) {
      throw new VarveException(
          ErrorCode.FILE_CORRUPT,
          footer.path()
              + ", row group "
              + rowGroup
              + ", column "
              + column.name()
              + ": its bytes "
              + start
              + " to "
              + end
              + " are not in the file of "
              + footer.fileSize()
              + " bytes");
    }
    List<ChunkInput.Piece> pieces = pieces(start, end, locations, rows);
    ChunkInput bytes = new ChunkInput(input, buffers, start, end, pieces);
    ColumnChunkReader reader =
        new ColumnChunkReader(footer, rowGroup, column, type, bytes, locations, buffers);
    columns.add(reader);
    return reader;
  }

  /** The whole chunk, or the dictionary and the pages that hold wanted rows. */
  private static List<ChunkInput.Piece> pieces(
      long start, long end, @Nullable PageLocations locations, RowRanges rows) {
    if (locations == null) {
      return List.of(new ChunkInput.Piece(start, end));
    }
    List<ChunkInput.Piece> pieces = new ArrayList<>();
    add(pieces, start, locations.offset(0));
    for (int page = 0; page < locations.count(); page++) {
      if (rows.overlaps(locations.firstRow(page), locations.endRow(page))) {
        add(pieces, locations.offset(page), locations.offset(page) + locations.size(page));
      }
    }
    return pieces;
  }

  private static void add(List<ChunkInput.Piece> pieces, long start, long end) {
    if (start >= end) {
      return;
    }
    if (!pieces.isEmpty() && start - pieces.getLast().end() <= GAP_BYTES) {
      pieces.set(pieces.size() - 1, new ChunkInput.Piece(pieces.getLast().start(), end));
    } else {
      pieces.add(new ChunkInput.Piece(start, end));
    }
  }

  private record Wanted(ChunkInput column, ChunkInput.Piece piece) {}

  /** Reads what several columns need first, in few reads where it is small. */
  public void prefetch(List<ColumnChunkReader> readers) {
    List<Wanted> small = new ArrayList<>();
    for (ColumnChunkReader reader : readers) {
      ChunkInput column = reader.input();
      if (!column.isUntouched()) {
        continue;
      }
      for (ChunkInput.Piece piece : column.pieces()) {
        if (piece.end() - piece.start() <= SMALL_BYTES) {
          small.add(new Wanted(column, piece));
        }
      }
    }
    small.sort(Comparator.comparingLong(w -> w.piece().start()));
    int from = 0;
    long total = 0;
    while (from < small.size() && total < TOGETHER_BYTES) {
      int to = from + 1;
      long start = small.get(from).piece().start();
      long end = small.get(from).piece().end();
      while (to < small.size()
          && small.get(to).piece().start() - end <= GAP_BYTES
          && small.get(to).piece().end() - start <= TOGETHER_BYTES) {
        end = Math.max(end, small.get(to).piece().end());
        to++;
      }
      if (to - from > 1) {
        readTogether(small.subList(from, to), start, end);
        total += end - start;
      }
      from = to;
    }
  }

  private void readTogether(List<Wanted> wanted, long start, long end) {
    int length = (int) (end - start);
    byte[] buffer = buffers.tryBorrow(length + RleDecoder.SLACK);
    if (buffer == null) {
      // Each column reads its own, then.
      return;
    }
    shared.add(buffer);
    input.readFully(start, buffer, 0, length);
    for (Wanted part : wanted) {
      part.column().provide(part.piece(), buffer, start);
    }
  }

  @Override
  public void close() {
    columns.forEach(ColumnChunkReader::close);
    columns.clear();
    shared.forEach(buffers::giveBack);
    shared.clear();
  }
}
