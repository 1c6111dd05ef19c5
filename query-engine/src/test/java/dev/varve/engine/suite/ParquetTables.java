package dev.varve.engine.suite;

import java.util.List;

/** Tables that are Parquet files. */
public interface ParquetTables {
  List<String> tables();

  /** The path or pattern of a table's files. */
  String pattern(String table);
}
