package dev.varve.engine.scan;

import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;

/** A whole file, by what the catalog or a manifest says of it. */
record FileContainer(ScanTable table, FileFacts file) implements ContainerFacts {
  @Override
  public ColumnFacts column(int column) {
    return file.column(table.columns().get(column).id());
  }

  @Override
  public boolean allNull(int column) {
    return file.recordCount() >= 0 && column(column).nullCount().orElse(-1) >= file.recordCount();
  }
}
