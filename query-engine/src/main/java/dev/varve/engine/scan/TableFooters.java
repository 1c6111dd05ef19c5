package dev.varve.engine.scan;

import dev.varve.engine.parquet.FooterReader;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.engine.parquet.ParquetInput;
import dev.varve.layout.FileFacts;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.apache.iceberg.Table;

/** What footers say of a table's data files, for an index that knows them from manifests only. */
public final class TableFooters {
  private TableFooters() {}

  /**
   * Reads the footer of a Parquet file: its end, and once more if the footer is large.
   *
   * @param sizeBytes as the manifest has it
   * @throws VarveException FILE_CORRUPT if the file is not what the manifest says,
   *     FEATURE_NOT_SUPPORTED if it is encrypted, FILE_NOT_FOUND or IO_ERROR
   */
  public static FileFacts read(Table table, String path, long sizeBytes, long recordCount) {
    ParquetFooter footer;
    try (ParquetInput input =
        new ParquetInput(
            table.io().newInputFile(path, sizeBytes),
            sizeBytes,
            ParquetInput.DIRECT,
            bytes -> {})) {
      footer = FooterReader.read(input);
    }
    if (footer.rowCount() != recordCount) {
      throw new VarveException(
          ErrorCode.FILE_CORRUPT,
          path
              + ": the file has "
              + footer.rowCount()
              + " rows, but its table says "
              + recordCount);
    }
    IcebergNames names = IcebergNames.of(table);
    return FooterFacts.withRowGroups(IcebergColumns.of(table.schema()), names::find, footer);
  }
}
