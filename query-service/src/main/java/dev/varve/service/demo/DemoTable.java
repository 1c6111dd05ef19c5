package dev.varve.service.demo;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/**
 * A table of the demo: TPC-H's, kept in the order that its queries like.
 *
 * @param bloomColumns a column for which equality is asked, but which the order does not help;
 *     empty for none
 */
record DemoTable(String name, String orderedBy, String bloomColumns) {
  static final String SCHEMA = "lake.tpch";

  static final List<DemoTable> ALL =
      List.of(
          new DemoTable("region", "r_regionkey", ""),
          new DemoTable("nation", "n_nationkey", ""),
          new DemoTable("supplier", "s_suppkey", ""),
          new DemoTable("customer", "c_custkey", ""),
          new DemoTable("part", "p_partkey", ""),
          new DemoTable("partsupp", "ps_partkey, ps_suppkey", ""),
          new DemoTable("orders", "o_orderdate", "o_custkey"),
          new DemoTable("lineitem", "l_shipdate", "l_orderkey"));

  /** Creates and fills the table in one statement: it is there with all its rows or not at all. */
  String createStatement(BigDecimal scale) {
    return String.format(
        Locale.ROOT,
        "CREATE TABLE IF NOT EXISTS %s.%s ORDERED BY (%s) WITH (%s) AS SELECT * FROM tpch.%s.%s",
        SCHEMA,
        name,
        orderedBy,
        options(scale),
        sourceSchema(scale),
        name);
  }

  /**
   * Files and row groups are kept small at small scales, so that there are several of each; from
   * scale 10 on they have their ordinary size.
   */
  private String options(BigDecimal scale) {
    long rowGroupRows = clamp(scale, 131_072, 16_384, 1_048_576);
    String options =
        String.format(
            Locale.ROOT,
            "target_file_bytes = %d, row_group_rows = %d, page_rows = %d",
            clamp(scale, 20 << 20, 256 << 10, 256 << 20),
            rowGroupRows,
            Math.min(20_000, rowGroupRows / 8));
    return bloomColumns.isEmpty() ? options : options + ", bloom_columns = '" + bloomColumns + "'";
  }

  private static long clamp(BigDecimal scale, long atScaleOne, long least, long most) {
    long scaled = scale.multiply(BigDecimal.valueOf(atScaleOne)).longValue();
    return Math.clamp(scaled, least, most);
  }

  static String sourceSchema(BigDecimal scale) {
    return "sf" + scale.toPlainString().replace('.', '_');
  }
}
