package dev.varve.engine.connector.system;

import dev.varve.engine.connector.lake.LakeConnector;
import dev.varve.engine.scan.IcebergTableSource;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is known of the files of every table of the lakes, as rows. */
final class LakeFacts {
  static final Schema ORDERINGS =
      Schema.of(
          Field.of("catalog_name", DataType.VARCHAR),
          Field.of("schema_name", DataType.VARCHAR),
          Field.of("table_name", DataType.VARCHAR),
          Field.of("ordering", DataType.VARCHAR),
          Field.of("declared", DataType.BOOLEAN),
          Field.of("files", DataType.BIGINT),
          Field.of("verified_files", DataType.BIGINT),
          Field.of("asserted_files", DataType.BIGINT),
          Field.of("violated_files", DataType.BIGINT));
  static final Schema FILES =
      Schema.of(
          Field.of("catalog_name", DataType.VARCHAR),
          Field.of("schema_name", DataType.VARCHAR),
          Field.of("table_name", DataType.VARCHAR),
          Field.of("path", DataType.VARCHAR),
          Field.of("size_bytes", DataType.BIGINT),
          Field.of("row_count", DataType.BIGINT),
          Field.of("row_groups", DataType.INTEGER),
          Field.of("ordering", DataType.VARCHAR),
          Field.of("trust", DataType.VARCHAR),
          Field.of("key_lower", DataType.VARBINARY),
          Field.of("key_upper", DataType.VARBINARY));

  private final Map<String, LakeConnector> lakes;

  LakeFacts(Map<String, LakeConnector> lakes) {
    this.lakes = Map.copyOf(lakes);
  }

  private interface TableVisitor {
    void visit(String catalog, String schema, String table, IcebergTableSource source);
  }

  /** A table that was dropped between listing and looking is passed over. */
  private void forEachTable(TableVisitor visitor) {
    new java.util.TreeMap<>(lakes)
        .forEach(
            (name, lake) -> {
              for (String schema : lake.schemas()) {
                for (String table : lake.tables(schema)) {
                  lake.icebergSource(schema, table)
                      .ifPresent(source -> visitor.visit(name, schema, table, source));
                }
              }
            });
  }

  List<List<@Nullable Object>> orderings() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    forEachTable(
        (catalog, schema, table, source) -> {
          List<FileFacts> files = source.files();
          Set<TableOrdering> all = new LinkedHashSet<>();
          source.declaredTableOrdering().ifPresent(all::add);
          files.forEach(f -> f.orderings().forEach(o -> all.add(o.ordering())));
          for (TableOrdering ordering : all) {
            Map<Trust, Long> trusts =
                files.stream()
                    .flatMap(f -> f.ordering(ordering).stream())
                    .collect(
                        Collectors.groupingBy(
                            OrderingFact::trust, LinkedHashMap::new, Collectors.counting()));
            long violated =
                files.stream()
                    .flatMap(f -> f.orderings().stream())
                    .filter(o -> o.trust() == Trust.VIOLATED && o.ordering().equals(ordering))
                    .count();
            rows.add(
                List.of(
                    catalog,
                    schema,
                    table,
                    text(ordering, source.schema()),
                    source.declaredTableOrdering().filter(ordering::equals).isPresent(),
                    (long) files.size(),
                    trusts.getOrDefault(Trust.VERIFIED, 0L),
                    trusts.getOrDefault(Trust.ASSERTED, 0L),
                    violated));
          }
        });
    return rows;
  }

  List<List<@Nullable Object>> files() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    forEachTable(
        (catalog, schema, table, source) -> {
          for (FileFacts file : source.files()) {
            if (file.orderings().isEmpty()) {
              rows.add(row(catalog, schema, table, source.schema(), file, null));
            }
            for (OrderingFact fact : file.orderings()) {
              rows.add(row(catalog, schema, table, source.schema(), file, fact));
            }
          }
        });
    return rows;
  }

  private static List<@Nullable Object> row(
      String catalog,
      String schema,
      String table,
      Schema columns,
      FileFacts file,
      @Nullable OrderingFact fact) {
    List<@Nullable Object> row = new ArrayList<>();
    row.add(catalog);
    row.add(schema);
    row.add(table);
    row.add(file.path());
    row.add(file.sizeBytes());
    row.add(file.recordCount());
    row.add(file.rowGroups().size());
    row.add(fact == null ? null : text(fact.ordering(), columns));
    row.add(fact == null ? null : fact.trust().name().toLowerCase(java.util.Locale.ROOT));
    KeyRange range = fact == null ? null : fact.range().orElse(null);
    row.add(range == null ? null : range.lower().toByteArray());
    row.add(range == null ? null : range.upper().toByteArray());
    return row;
  }

  /** {@code l_shipdate ASC, l_orderkey DESC}; a column that is no longer there by its id. */
  private static String text(TableOrdering ordering, Schema columns) {
    return ordering.fields().stream()
        .map(
            key ->
                columns.fields().stream()
                        .filter(f -> f.fieldId() == key.fieldId())
                        .map(Field::name)
                        .findFirst()
                        .orElse("#" + key.fieldId())
                    + direction(key))
        .collect(Collectors.joining(", "));
  }

  private static String direction(OrderingField key) {
    boolean descending = key.direction() == SortDirection.DESC;
    boolean nullsFirst = key.nullOrder() == dev.varve.layout.NullOrder.NULLS_FIRST;
    return (descending ? " DESC" : " ASC")
        + (nullsFirst == descending ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST");
  }
}
