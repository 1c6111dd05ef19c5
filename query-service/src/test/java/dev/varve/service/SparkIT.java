package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Spark or Varve writes the other reads at once. */
class SparkIT extends SparkAndVarve {
  SparkIT() {
    super("");
  }

  @ParameterizedTest(name = "format {0}, {1}")
  @CsvSource({"2, copy-on-write", "2, merge-on-read", "3, merge-on-read"})
  void whateverSparkDoesVarveSeesAtOnce(int format, String mode) throws IOException {
    String table = "shop.orders_" + format + "_" + mode.replace('-', '_');
    String all = "id, name, price, at, x";
    spark.sql(
        """
        CREATE TABLE lake.%s (id int, name string, price decimal(9,2), at date, x double)
        USING iceberg TBLPROPERTIES ('format-version'='%d', 'write.delete.mode'='%s',
        'write.update.mode'='%s', 'write.merge.mode'='%s')
        """
            .formatted(table, format, mode, mode, mode));
    assertThat(compare(table, all)).isEmpty();
    spark.sql("ALTER TABLE lake." + table + " WRITE ORDERED BY id");
    insert(table, VALUES, 0, 1000);
    assertThat(compare(table, all)).hasSize(1000);

    spark.sql("DELETE FROM lake." + table + " WHERE id % 10 = 3");
    assertThat(compare(table, all)).hasSize(900);
    spark.sql("UPDATE lake." + table + " SET price = price + 1, name = NULL WHERE id < 50");
    assertThat(compare(table, all)).hasSize(900);
    spark.sql(
        """
        MERGE INTO lake.%s t USING (SELECT %s FROM range(990, 1010)) s ON t.id = s.id
        WHEN MATCHED AND s.id %% 2 = 0 THEN DELETE
        WHEN MATCHED THEN UPDATE SET t.name = 'merged'
        WHEN NOT MATCHED THEN INSERT *
        """
            .formatted(table, VALUES));
    assertThat(compare(table, all)).hasSize(900 - 5 + 11);

    spark.sql("ALTER TABLE lake." + table + " ADD COLUMN note string");
    insert(table, VALUES + ", 'late' AS note", 2000, 2100);
    compare(table, all + ", note");
    spark.sql("ALTER TABLE lake." + table + " RENAME COLUMN name TO label");
    spark.sql("ALTER TABLE lake." + table + " ALTER COLUMN id TYPE bigint");
    insert(table, VALUES + ", NULL", 3000, 3100);
    String renamed = "id, label, price, at, x, note";
    assertThat(compare(table, renamed)).hasSize(906 + 200);
    spark.sql("ALTER TABLE lake." + table + " DROP COLUMN price");
    String rest = "id, label, at, x, note";
    compare(table, rest);

    spark.sql("ALTER TABLE lake." + table + " ADD PARTITION FIELD bucket(4, id)");
    spark.sql(
        "INSERT INTO lake."
            + table
            + " SELECT id, 'in a bucket', NULL, NULL, NULL FROM range(4000, 4050)");
    compare(table, rest);
    spark.sql(
        "ALTER TABLE lake." + table + " REPLACE PARTITION FIELD bucket(4, id) WITH months(at)");
    spark.sql(
        "INSERT INTO lake."
            + table
            + " SELECT id, 'in a month', DATE'2026-03-01', 0D, NULL FROM range(5000, 5050)");
    spark.sql("DELETE FROM lake." + table + " WHERE id BETWEEN 4040 AND 5009");
    assertThat(compare(table, rest)).hasSize(906 + 200 + 40 + 40);
    assertThat(compareWhere(table, "id, label", "id = 3007")).hasSize(1);
    assertThat(compareWhere(table, "id, label", "at = DATE '2026-03-01' AND id > 5020"))
        .hasSize(29);
    assertThat(compareWhere(table, "id, label", "label = 'merged' OR id IN (5, 4004)")).hasSize(6);

    spark.sql("ALTER TABLE lake." + table + " CREATE BRANCH side");
    spark.sql(
        "INSERT INTO lake."
            + table
            + ".branch_side SELECT id, 'aside', NULL, 1D, NULL FROM range(6000, 6010)");
    assertThat(compare(table, rest)).as("main is as it was").hasSize(906 + 200 + 40 + 40);
    for (String catalog : List.of("lake", "planned")) {
      assertThat(spark.sql("SELECT count(*) FROM " + catalog + "." + table + ".branch_side"))
          .containsExactly(String.valueOf(906 + 200 + 40 + 40 + 10));
    }
    spark.sql("CALL lake.system.fast_forward('" + table + "', 'main', 'side')");
    assertThat(compare(table, rest)).hasSize(906 + 200 + 40 + 40 + 10);
  }

  @Test
  void sparkReadsOurSortedTablesAndOpensOnlyTheFilesOfOurPlan() throws Exception {
    varve("CREATE SCHEMA lake.ours");
    String columns = "l_orderkey, l_linenumber, l_quantity, l_shipdate, l_comment";
    varve(
        "CREATE TABLE lake.ours.lineitem ORDERED BY (l_orderkey) AS SELECT "
            + columns
            + " FROM tpch.tiny.lineitem WHERE l_orderkey < 10000");
    for (int from = 10_000; from < 60_000; from += 10_000) {
      varve(
          "INSERT INTO lake.ours.lineitem SELECT %s FROM tpch.tiny.lineitem WHERE l_orderkey >= %d AND l_orderkey < %d"
              .formatted(columns, from, from + 10_000));
    }
    assertThat(compare("ours.lineitem", columns)).hasSizeGreaterThan(50_000);
    double fromIndex = plans("index");
    Set<String> all = plan("ours/tables/lineitem", "{}");
    assertThat(all).hasSizeGreaterThan(4);

    String where = "l_orderkey BETWEEN 20500 AND 20700";
    Set<String> named =
        plan(
            "ours/tables/lineitem",
            """
            {"filter":{"type":"and",
             "left":{"type":"gt-eq","term":"l_orderkey","value":20500},
             "right":{"type":"lt-eq","term":"l_orderkey","value":20700}}}
            """);
    assertThat(named).hasSizeLessThan(all.size()).isNotEmpty();
    spark.say("our plan for " + where + " names " + named.size() + " of " + all.size() + " files");
    spark.opened();
    List<String> rows =
        same(
            spark.sql(
                "SELECT %s FROM planned.ours.lineitem WHERE %s ORDER BY l_orderkey, l_linenumber"
                    .formatted(columns, where)));
    Set<String> opened = new TreeSet<>(spark.opened());
    assertThat(opened).isEqualTo(named);
    assertThat(plans("index")).as("ours twice, and Spark's").isGreaterThanOrEqualTo(fromIndex + 3);
    assertThat(rows)
        .isNotEmpty()
        .isEqualTo(
            same(
                varve(
                    "SELECT %s FROM lake.ours.lineitem WHERE %s ORDER BY l_orderkey, l_linenumber"
                        .formatted(columns, where))));
  }

  @Test
  void sparkWritesIntoOurTableAndItStaysRight() throws IOException {
    varve("CREATE SCHEMA lake.mixed");
    varve(
        "CREATE TABLE lake.mixed.t ORDERED BY (k) AS SELECT o_orderkey AS k, o_comment AS note FROM tpch.tiny.orders");
    insert("mixed.t", "id AS k, 'by spark' AS note", 100, 200);
    compare("mixed.t", "k, note");
    varve("INSERT INTO lake.mixed.t SELECT 150, 'by varve'");
    compare("mixed.t", "k, note");
    assertThat(varve("SELECT k FROM lake.mixed.t ORDER BY k"))
        .isEqualTo(spark.sql("SELECT k FROM planned.mixed.t ORDER BY k"));
  }
}
