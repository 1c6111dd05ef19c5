package dev.varve.engine.logical;

import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.sql.SchemaResolver;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tables with statistics and no rows: TPC-H at scale 1, and whatever a test adds. */
final class TestTables implements SchemaResolver {
  private final Map<String, SourceTable> tables = new LinkedHashMap<>();
  final List<String> lookups = new ArrayList<>();

  record Empty(Schema schema, Statistics statistics) implements SourceTable {
    @Override
    public PhysicalPlan scan(ScanRequest request) {
      throw new UnsupportedOperationException();
    }
  }

  static TestTables tpch() {
    return new TestTables()
        .add("region", 5, "r_regionkey bigint! 5", "r_name varchar! 5", "r_comment varchar 5")
        .add(
            "nation",
            25,
            "n_nationkey bigint! 25",
            "n_name varchar! 25",
            "n_regionkey bigint! 5",
            "n_comment varchar 25")
        .add(
            "supplier",
            10_000,
            "s_suppkey bigint! 10000",
            "s_name varchar! 10000",
            "s_address varchar! 10000",
            "s_nationkey bigint! 25",
            "s_phone varchar! 10000",
            "s_acctbal decimal(12,2)! 9955",
            "s_comment varchar! 10000")
        .add(
            "customer",
            150_000,
            "c_custkey bigint! 150000",
            "c_name varchar! 150000",
            "c_address varchar! 150000",
            "c_nationkey bigint! 25",
            "c_phone varchar! 150000",
            "c_acctbal decimal(12,2)! 140187",
            "c_mktsegment varchar! 5",
            "c_comment varchar! 149968")
        .add(
            "part",
            200_000,
            "p_partkey bigint! 200000",
            "p_name varchar! 199997",
            "p_mfgr varchar! 5",
            "p_brand varchar! 25",
            "p_type varchar! 150",
            "p_size integer! 50",
            "p_container varchar! 40",
            "p_retailprice decimal(12,2)! 20899",
            "p_comment varchar! 131753")
        .add(
            "partsupp",
            800_000,
            "ps_partkey bigint! 200000",
            "ps_suppkey bigint! 10000",
            "ps_availqty integer! 9999",
            "ps_supplycost decimal(12,2)! 99865",
            "ps_comment varchar! 799124")
        .add(
            "orders",
            1_500_000,
            "o_orderkey bigint! 1500000",
            "o_custkey bigint! 99996",
            "o_orderstatus varchar! 3",
            "o_totalprice decimal(12,2)! 1464556",
            "o_orderdate date! 2406",
            "o_orderpriority varchar! 5",
            "o_clerk varchar! 1000",
            "o_shippriority integer! 1",
            "o_comment varchar! 1482071")
        .add(
            "lineitem",
            6_001_215,
            "l_orderkey bigint! 1500000",
            "l_partkey bigint! 200000",
            "l_suppkey bigint! 10000",
            "l_linenumber integer! 7",
            "l_quantity decimal(12,2)! 50",
            "l_extendedprice decimal(12,2)! 933900",
            "l_discount decimal(12,2)! 11",
            "l_tax decimal(12,2)! 9",
            "l_returnflag varchar! 3",
            "l_linestatus varchar! 2",
            "l_shipdate date! 2526",
            "l_commitdate date! 2466",
            "l_receiptdate date! 2554",
            "l_shipinstruct varchar! 4",
            "l_shipmode varchar! 7",
            "l_comment varchar! 4580667")
        .add(
            "t",
            1000,
            "a integer 100",
            "b bigint! 1000",
            "c varchar 10",
            "d date 300",
            "e decimal(10,2) 500",
            "f double 900",
            "g boolean 2",
            "ts timestamp 1000",
            "tz timestamptz 1000",
            "u uuid 1000",
            "r real 10",
            "s smallint 10")
        .add("n", 100, "a integer 100", "x integer! 10", "c varchar! 10");
  }

  /** Columns as {@code name type distinct}, a type that ends in ! is NOT NULL. */
  TestTables add(String name, long rows, String... columns) {
    List<Field> fields = new ArrayList<>();
    List<ColumnStatistics> statistics = new ArrayList<>();
    for (String column : columns) {
      String[] parts = column.split(" ");
      boolean nullable = !parts[1].endsWith("!");
      fields.add(Field.of(parts[0], type(parts[1].replace("!", "")), nullable));
      statistics.add(
          new ColumnStatistics(
              Precision.exact(nullable ? rows / 10 : 0L),
              Precision.absent(),
              Precision.absent(),
              Precision.inexact(Long.parseLong(parts[2]))));
    }
    tables.put(
        name,
        new Empty(
            new Schema(fields),
            new Statistics(Precision.exact(rows), Precision.absent(), statistics)));
    return this;
  }

  private static DataType type(String name) {
    return switch (name) {
      case "bigint" -> DataType.BIGINT;
      case "integer" -> DataType.INTEGER;
      case "smallint" -> DataType.SMALLINT;
      case "varchar" -> DataType.VARCHAR;
      case "date" -> DataType.DATE;
      case "double" -> DataType.DOUBLE;
      case "real" -> DataType.REAL;
      case "boolean" -> DataType.BOOLEAN;
      case "timestamp" -> DataType.TIMESTAMP;
      case "timestamptz" -> DataType.TIMESTAMPTZ;
      case "uuid" -> DataType.UUID;
      case "decimal(12,2)" -> DataType.decimal(12, 2);
      case "decimal(10,2)" -> DataType.decimal(10, 2);
      default -> throw new IllegalArgumentException(name);
    };
  }

  Schema schemaOf(String table) {
    return Optional.ofNullable(tables.get(table)).orElseThrow().schema();
  }

  @Override
  public String catalog() {
    return "lake";
  }

  @Override
  public String schema() {
    return "main";
  }

  @Override
  public Optional<SourceTable> table(String catalog, String schema, String table) {
    lookups.add(catalog + "." + schema + "." + table);
    return catalog.equals("lake") && schema.equals("main")
        ? Optional.ofNullable(tables.get(table))
        : Optional.empty();
  }

  @Override
  public SourceTable files(String pattern) {
    lookups.add(pattern);
    return Optional.ofNullable(tables.get("n")).orElseThrow();
  }

  @Override
  public List<String> catalogs() {
    return List.of("lake", "tpch", "system");
  }

  @Override
  public List<String> schemas(String catalog) {
    return catalog.equals("lake") ? List.of("main", "other") : List.of();
  }

  @Override
  public List<String> tables(String catalog, String schema) {
    return schema.equals("main") ? List.copyOf(tables.keySet()) : List.of();
  }
}
