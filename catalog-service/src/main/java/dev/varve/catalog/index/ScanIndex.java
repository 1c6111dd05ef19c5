package dev.varve.catalog.index;

import dev.varve.catalog.store.Database;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.ColumnRange;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.LayoutQuery;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.expressions.Expression;
import org.jspecify.annotations.Nullable;

/**
 * The data files that a scan needs, as manifests describe them but without statistics, from the
 * layout index alone. Safe for concurrent use.
 */
public final class ScanIndex {
  private static final int LOOKUP_FILES = 1_000;
  private static final FileFormat[] FORMATS = {FileFormat.PARQUET, FileFormat.ORC, FileFormat.AVRO};

  /** From this version on files have row ids. */
  private static final int ROW_IDS_SINCE = 3;

  private final Database database;
  private final LayoutIndex index;

  public ScanIndex(Database database, LayoutIndex index) {
    this.database = database;
    this.index = index;
  }

  /** The index does not know a file well enough: the manifests do. */
  public static final class Incomplete extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Incomplete(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * The files of a snapshot that may hold rows that the filter keeps. They are looked up as they
   * are taken, a thousand at a time.
   *
   * @param filter bound to the schema that it is asked under, without NOT
   * @return none when the snapshot is not indexed; its iterator fails with {@link Incomplete}
   */
  public Optional<Iterator<DataFile>> files(
      TableMetadata table, long snapshotId, Expression filter) {
    Optional<List<ColumnRange>> ranges = FilterRanges.of(IcebergKeys.columnTypes(table), filter);
    if (ranges.isEmpty()) {
      return Optional.of(List.<DataFile>of().iterator());
    }
    LayoutAnswer answer =
        index.plan(new LayoutQuery(table.uuid(), snapshotId, ranges.get(), Optional.empty()));
    return switch (answer) {
      case LayoutAnswer.NotIndexed _ -> Optional.empty();
      case LayoutAnswer.Complete complete -> Optional.of(new Lookup(table, complete.files()));
    };
  }

  /** What the database has of a file. */
  private record Row(
      String path,
      long sizeBytes,
      int specId,
      int format,
      @Nullable Integer sortOrderId,
      byte @Nullable [] task) {}

  private final class Lookup implements Iterator<DataFile> {
    private final TableMetadata table;
    private final List<FileFacts> files;
    private final Map<Integer, TaskBlob.Files> bySpec = new HashMap<>();
    private final long tableId;
    private Map<String, Row> rows = Map.of();
    private int next;
    private int looked;

    Lookup(TableMetadata table, List<FileFacts> files) {
      this.table = table;
      this.files = files;
      this.tableId =
          database
              .read(
                  sql ->
                      sql.first(
                          "select table_id from lh_table where table_uuid = ?",
                          row -> row.getLong(1),
                          table.uuid()))
              .orElseThrow(() -> new Incomplete("the table is gone"));
    }

    @Override
    public boolean hasNext() {
      return next < files.size();
    }

    @Override
    public DataFile next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      if (next == looked) {
        look();
      }
      return file(files.get(next++));
    }

    private void look() {
      List<FileFacts> chunk = files.subList(next, Math.min(files.size(), next + LOOKUP_FILES));
      long[] hashes = chunk.stream().mapToLong(file -> PathHash.of(file.path())).toArray();
      Map<String, Row> found = HashMap.newHashMap(chunk.size());
      for (Row row : database.read(sql -> rows(sql, hashes))) {
        Row other = found.putIfAbsent(row.path(), row);
        if (other != null && !Arrays.equals(other.task(), row.task())) {
          // Added twice, with other row ids.
          found.put(row.path(), new Row(row.path(), -1, 0, 0, null, null));
        }
      }
      rows = found;
      looked = next + chunk.size();
    }

    private List<Row> rows(Sql sql, long[] hashes) throws SQLException {
      return sql.list(
          "select f.path, f.size_bytes, f.spec_id, f.format, f.sort_order_id, f.task"
              + " from unnest(cast(? as bigint array)) u(x)"
              + " join lh_file f on f.table_id = ? and f.path_hash = u.x",
          row -> {
            int sortOrder = row.getInt(5);
            return new Row(
                row.getString(1),
                row.getLong(2),
                row.getInt(3),
                row.getInt(4),
                row.wasNull() ? null : sortOrder,
                row.getBytes(6));
          },
          hashes,
          tableId);
    }

    private DataFile file(FileFacts facts) {
      Row row = rows.get(facts.path());
      PartitionSpec spec = row == null ? null : table.specsById().get(row.specId());
      if (row == null
          || spec == null
          || row.task() == null
          || row.sizeBytes() != facts.sizeBytes()
          || row.format() >= FORMATS.length) {
        throw new Incomplete("the index has no scan task of " + facts.path());
      }
      DataFiles.Builder builder =
          bySpec
              .computeIfAbsent(spec.specId(), _ -> new TaskBlob.Files(spec))
              .read(row.task())
              .orElseThrow(() -> new Incomplete("another version wrote of " + facts.path()));
      builder
          .withPath(facts.path())
          .withFormat(FORMATS[row.format()])
          .withFileSizeInBytes(facts.sizeBytes())
          .withRecordCount(facts.recordCount());
      if (row.sortOrderId() != null) {
        builder.withSortOrderId(row.sortOrderId());
      }
      DataFile file = builder.build();
      if (table.formatVersion() >= ROW_IDS_SINCE && file.firstRowId() == null) {
        throw new Incomplete("row ids came after " + facts.path() + " was added");
      }
      return file;
    }
  }
}
