package dev.varve.catalog.background;

import dev.varve.layout.FileFacts;
import org.apache.iceberg.Table;

/** Reads footers of data files; whoever has code for it brings it. Safe for concurrent use. */
public interface FooterReader {
  /**
   * What the footer of a Parquet file says, in one or two small reads.
   *
   * @param sizeBytes as the manifest has it
   * @throws dev.varve.layout.error.VarveException FILE_CORRUPT or FEATURE_NOT_SUPPORTED when no
   *     later attempt would bring more; any other failure may pass
   */
  FileFacts read(Table table, String path, long sizeBytes, long recordCount);
}
