package dev.varve.writer.commit;

import dev.varve.layout.FileFacts;
import dev.varve.writer.order.TableOrder;
import dev.varve.writer.parquet.WrittenFile;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.Table;

/** Written files in the words of a table. */
public final class TableFiles {
  private TableFiles() {}

  public static List<DataFile> dataFiles(List<WrittenFile> files, Table table, TableOrder order) {
    ManifestMetrics metrics = new ManifestMetrics(table);
    return files.stream().map(file -> dataFile(file, table, order, metrics)).toList();
  }

  private static DataFile dataFile(
      WrittenFile file, Table table, TableOrder order, ManifestMetrics metrics) {
    int sortOrder = file.range().isPresent() ? order.sortOrderId() : SortOrder.unsorted().orderId();
    return DataFiles.builder(table.spec())
        .withPath(file.location())
        .withFormat(FileFormat.PARQUET)
        .withFileSizeInBytes(file.sizeBytes())
        .withMetrics(metrics.of(file))
        .withSplitOffsets(
            file.rowGroups().stream().map(WrittenFile.WrittenRowGroup::startOffset).toList())
        .withSortOrderId(sortOrder)
        .build();
  }

  public static List<FileFacts> facts(List<WrittenFile> files, Table table, TableOrder order) {
    return files.stream()
        .map(
            file ->
                WrittenFacts.of(
                    file, table.spec().specId(), table.schema().schemaId(), order.ordering()))
        .toList();
  }
}
