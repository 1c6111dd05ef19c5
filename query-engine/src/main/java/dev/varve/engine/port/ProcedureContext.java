package dev.varve.engine.port;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutIndex;
import java.util.List;
import org.apache.iceberg.Table;

/** What a procedure may use of the engine. */
public interface ProcedureContext extends WorkContext, NameResolver {
  /**
   * The Iceberg table behind a name.
   *
   * @throws dev.varve.layout.error.VarveException UNDEFINED_TABLE, with a suggestion
   */
  Table load(ObjectName name);

  LayoutIndex layoutIndex();

  /** What the index, or failing that the manifests, knows of every data file of a snapshot. */
  List<FileFacts> files(Table table, long snapshotId);

  /**
   * All rows of some files of a snapshot, deletes applied, every column of the table's current
   * schema by position. With an ordering the files are merged k-way; each must be verified to have
   * it. Without, they are read one after another. The caller closes the stream.
   */
  BatchStream read(
      Table table, long snapshotId, List<FileFacts> files, List<ColumnOrder> mergeOrdering);

  /**
   * Every row of one data file as it was written, in the file's order: no deletes are applied.
   *
   * @param columns positions in the table's current schema
   */
  BatchStream rows(Table table, long snapshotId, FileFacts file, List<Integer> columns);
}
