package dev.varve.engine.connector.system;

import dev.varve.engine.connector.lake.LakeConnector;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.scan.IcebergTableSource;
import dev.varve.engine.scan.KeyText;
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
import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What is known of the files of the lakes' tables, as rows. */
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
          Field.of("key_upper", DataType.VARBINARY),
          Field.of("least_key", DataType.VARCHAR),
          Field.of("greatest_key", DataType.VARCHAR));

  private final Map<String, LakeConnector> lakes;

  LakeFacts(Map<String, LakeConnector> lakes) {
    this.lakes = Map.copyOf(lakes);
  }

  /** The rows of a system table that one table of a lake has. */
  @FunctionalInterface
  interface Rows {
    Iterator<List<@Nullable Object>> of(LakeConnector lake, ObjectName table);
  }

  /** The rows of all tables that a filter admits, made as they are asked for. */
  Iterator<List<@Nullable Object>> rows(TableFilter filter, Rows rows) {
    return tables(filter).flatMap(name -> stream(rows.of(lake(name), name))).iterator();
  }

  private Stream<ObjectName> tables(TableFilter filter) {
    return new TreeMap<>(lakes)
        .entrySet().stream()
            .filter(lake -> filter.admits(TableFilter.CATALOG, lake.getKey()))
            .flatMap(
                lake ->
                    lake.getValue().schemas().stream()
                        .filter(schema -> filter.admits(TableFilter.SCHEMA, schema))
                        .flatMap(
                            schema ->
                                lake.getValue().tables(schema).stream()
                                    .filter(table -> filter.admits(TableFilter.TABLE, table))
                                    .map(t -> new ObjectName(lake.getKey(), schema, t))));
  }

  private LakeConnector lake(ObjectName name) {
    LakeConnector lake = lakes.get(name.catalog());
    if (lake == null) {
      throw new IllegalStateException("no lake " + name.catalog());
    }
    return lake;
  }

  private static <T> Stream<T> stream(Iterator<T> iterator) {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(iterator, Spliterator.ORDERED), false);
  }

  /** A table that was dropped between listing and looking has no rows. */
  static Iterator<List<@Nullable Object>> orderings(LakeConnector lake, ObjectName table) {
    return lake.icebergSource(table.schema(), table.table())
        .map(source -> orderings(source, table).iterator())
        .orElseGet(Collections::emptyIterator);
  }

  private static List<List<@Nullable Object>> orderings(
      IcebergTableSource source, ObjectName table) {
    List<FileFacts> files = source.files();
    Set<TableOrdering> all = new LinkedHashSet<>();
    source.declaredTableOrdering().ifPresent(all::add);
    files.forEach(f -> f.orderings().forEach(o -> all.add(o.ordering())));
    List<List<@Nullable Object>> rows = new ArrayList<>();
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
              table.catalog(),
              table.schema(),
              table.table(),
              text(ordering, source.schema()),
              source.declaredTableOrdering().filter(ordering::equals).isPresent(),
              (long) files.size(),
              trusts.getOrDefault(Trust.VERIFIED, 0L),
              trusts.getOrDefault(Trust.ASSERTED, 0L),
              violated));
    }
    return rows;
  }

  /** A row for each file and ordering; a file without an ordering has one too. */
  static Iterator<List<@Nullable Object>> files(LakeConnector lake, ObjectName table) {
    return lake.icebergSource(table.schema(), table.table())
        .map(
            source ->
                source.files().stream()
                    .flatMap(file -> rows(table, source.schema(), file))
                    .iterator())
        .orElseGet(Collections::emptyIterator);
  }

  private static Stream<List<@Nullable Object>> rows(
      ObjectName table, Schema columns, FileFacts file) {
    return file.orderings().isEmpty()
        ? Stream.of(row(table, columns, file, null))
        : file.orderings().stream().map(fact -> row(table, columns, file, fact));
  }

  private static List<@Nullable Object> row(
      ObjectName table, Schema columns, FileFacts file, @Nullable OrderingFact fact) {
    List<@Nullable Object> row = new ArrayList<>();
    row.add(table.catalog());
    row.add(table.schema());
    row.add(table.table());
    row.add(file.path());
    row.add(file.sizeBytes());
    row.add(file.recordCount());
    row.add(file.rowGroups().size());
    row.add(fact == null ? null : text(fact.ordering(), columns));
    row.add(fact == null ? null : fact.trust().name().toLowerCase(java.util.Locale.ROOT));
    KeyRange range = fact == null ? null : fact.range().orElse(null);
    row.add(range == null ? null : range.lower().toByteArray());
    row.add(range == null ? null : range.upper().toByteArray());
    row.add(key(fact, columns, KeyRange::lowerExact, KeyRange::lower));
    row.add(key(fact, columns, KeyRange::upperExact, KeyRange::upper));
    return row;
  }

  /** An end of a key range to be read; null where it was cut. */
  private static @Nullable String key(
      @Nullable OrderingFact fact,
      Schema columns,
      Predicate<KeyRange> isWhole,
      Function<KeyRange, EncodedKey> end) {
    return fact == null
        ? null
        : fact.range()
            .filter(isWhole)
            .flatMap(range -> KeyText.of(fact.ordering(), columns, end.apply(range)))
            .orElse(null);
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
