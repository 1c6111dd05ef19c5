package dev.varve.engine.scan;

import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.Schema;
import org.apache.iceberg.io.FileIO;

/** Parquet files that are no table's: {@code FROM 'folder/*.parquet'}. */
public final class ParquetFilesSource implements SourceTable {
  private final String path;

  private ParquetFilesSource(String path) {
    this.path = path;
  }

  /**
   * The files that a path, folder or glob names, with the columns of the first one.
   *
   * @throws dev.varve.layout.error.VarveException FILE_NOT_FOUND or FILE_CORRUPT, naming the file
   */
  public static ParquetFilesSource open(String pathOrGlob, FileIO io, ScanServices services) {
    throw new IllegalStateException("open " + pathOrGlob + io + services);
  }

  @Override
  public Schema schema() {
    throw new IllegalStateException("schema of " + path);
  }

  @Override
  public Statistics statistics() {
    throw new IllegalStateException("statistics of " + path);
  }

  @Override
  public PhysicalPlan scan(ScanRequest request) {
    throw new IllegalStateException("scan of " + path);
  }
}
