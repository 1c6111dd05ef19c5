package dev.varve.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What Spark writes is read at once where the layout index does not follow. */
class SparkUnindexedIT extends SparkAndVarve {
  SparkUnindexedIT() {
    super("index.background = false\n");
  }

  @Test
  void rowsAreSeenWhileNothingIsIndexed() throws Exception {
    String table = "shop.orders";
    String all = "id, name, price, at, x";
    spark.sql(
        """
        CREATE TABLE lake.%s (id int, name string, price decimal(9,2), at date, x double)
        USING iceberg TBLPROPERTIES ('write.delete.mode'='merge-on-read')
        """
            .formatted(table));
    spark.sql("ALTER TABLE lake." + table + " WRITE ORDERED BY id");
    insert(table, VALUES, 0, 100);
    assertThat(compare(table, all)).hasSize(100);
    insert(table, VALUES, 100, 200);
    assertThat(compare(table, all)).hasSize(200);
    assertThat(compareWhere(table, all, "id BETWEEN 95 AND 104")).hasSize(10);
    spark.sql("DELETE FROM lake." + table + " WHERE id % 10 = 3");
    assertThat(compare(table, all)).hasSize(180);
    assertThat(plans("manifests")).isPositive();
    assertThat(plans("index")).as("no plan came from the index").isZero();
    varve("INSERT INTO lake." + table + " SELECT 1000, 'by varve', 1, DATE '2026-01-01', 1");
    assertThat(compare(table, all)).hasSize(181);
  }
}
