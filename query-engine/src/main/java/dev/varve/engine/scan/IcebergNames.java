package dev.varve.engine.scan;

import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.ParquetFooter;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.mapping.NameMappingParser;
import org.jspecify.annotations.Nullable;

/**
 * Finds columns by field id. In a file without ids the table's name mapping gives them, or else
 * their position does, as Iceberg defines it.
 */
final class IcebergNames {
  private final @Nullable NameMapping mapping;

  private IcebergNames(@Nullable NameMapping mapping) {
    this.mapping = mapping;
  }

  static IcebergNames of(Table table) {
    String json = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    return new IcebergNames(json == null ? null : NameMappingParser.fromJson(json));
  }

  @Nullable FileColumn find(ParquetFooter footer, ScanColumn column) {
    List<FileColumn> columns = footer.columns();
    boolean hasIds = columns.stream().anyMatch(c -> c.fieldId() >= 0);
    for (int i = 0; i < columns.size(); i++) {
      FileColumn candidate = columns.get(i);
      int id = hasIds ? candidate.fieldId() : idWithout(candidate, i);
      if (id == column.id()) {
        return candidate;
      }
    }
    return null;
  }

  private int idWithout(FileColumn column, int position) {
    NameMapping names = mapping;
    if (names == null) {
      return position + 1;
    }
    MappedField field = names.find(column.name());
    return field == null || field.id() == null ? -1 : field.id();
  }
}
