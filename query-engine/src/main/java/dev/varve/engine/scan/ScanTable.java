package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.FooterCache;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;

/**
 * What all scans of one table in one statement share. Safe for concurrent use.
 *
 * @param name how messages call it
 * @param filePrefix what stands before the names of its files in messages
 * @param distinctCounts by column id, about how many distinct values the table has, where that was
 *     counted for the table as a whole
 * @param deletes which rows of its files are deleted
 * @param footers a cache of its own where files may change under their name
 */
record ScanTable(
    String name,
    String filePrefix,
    List<ScanColumn> columns,
    FileIO io,
    ScanServices services,
    FooterCache footers,
    Columns resolver,
    Deletes deletes,
    Map<Integer, Long> distinctCounts) {

  ScanTable {
    columns = List.copyOf(columns);
    distinctCounts = Map.copyOf(distinctCounts);
  }

  /** How columns of the table are found in a file. */
  interface Columns {
    /** Null if the file does not have the column. */
    @Nullable FileColumn find(ParquetFooter footer, ScanColumn column);

    /** The value that stands for a column that a file does not have: one row. */
    Column missing(FileFacts file, ScanColumn column);
  }

  /** Where the rows are found that files hold but the table has no more. */
  interface Deletes {
    Deletes NONE =
        new Deletes() {
          @Override
          public boolean any() {
            return false;
          }

          @Override
          public FileDeletes of(FileFacts file) {
            return FileDeletes.NONE;
          }

          @Override
          public PartitionSpec spec(int id) {
            throw new IllegalStateException("no deletes, but spec " + id);
          }

          @Override
          public ScanColumn key(int fieldId) {
            throw new IllegalStateException("no deletes, but over field " + fieldId);
          }
        };

    /** False only if no file has any. */
    boolean any();

    FileDeletes of(FileFacts file);

    PartitionSpec spec(int id);

    /** A column that equality deletes are over; the table need not have it any more. */
    ScanColumn key(int fieldId);
  }

  /** The same files, with the rows that were deleted from them. */
  ScanTable withoutDeletes() {
    return new ScanTable(
        name, filePrefix, columns, io, services, footers, resolver, Deletes.NONE, distinctCounts);
  }

  Schema schema() {
    return new Schema(columns.stream().map(ScanColumn::field).toList());
  }

  Schema schema(List<Integer> positions) {
    return new Schema(positions.stream().map(p -> columns.get(p).field()).toList());
  }

  /** The position of the column with a field id. */
  Optional<Integer> position(int id) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).id() == id) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  /** A file in a message. */
  String show(FileFacts file) {
    String path = file.path();
    return filePrefix + path.substring(path.lastIndexOf('/') + 1);
  }
}
