package dev.varve.engine.physical;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Faults that other engines had with orders they over-claimed, and limits they moved too far. */
class OrderHazardsTest {

  private static SourceTable table(
      List<String> columns, DataType type, List<@Nullable Object[]> rows, int... order) {
    List<ColumnOrder> keys = new ArrayList<>();
    for (int column : order) {
      keys.add(new ColumnOrder(column, SortOptions.ASC));
    }
    return new MemoryTable(
        new Schema(columns.stream().map(name -> Field.of(name, type)).toList()),
        rows,
        keys,
        1,
        true);
  }

  private static void bothGive(
      Map<String, SourceTable> tables, String sql, List<List<String>> wanted) {
    try (MemoryEngine optimised = MemoryEngine.optimised(tables);
        MemoryEngine plain = MemoryEngine.plain(tables)) {
      assertThat(optimised.rows(sql)).as(optimised.explain(sql)).isEqualTo(wanted);
      assertThat(plain.rows(sql)).isEqualTo(wanted);
    }
  }

  private static Map<String, SourceTable> xyv() {
    return Map.of(
        "t",
        table(
            List.of("x", "y", "v"),
            DataType.BIGINT,
            List.of(
                new Object[] {1L, 1L, 10L},
                new Object[] {1L, 2L, 20L},
                new Object[] {1L, 3L, 30L},
                new Object[] {2L, 1L, 40L},
                new Object[] {2L, 2L, 50L},
                new Object[] {2L, 3L, 60L}),
            0,
            1));
  }

  /** y % 2 is not in order where y is: neither the groups nor the result may rely on it. */
  @Test
  void aRemainderOfAnOrderedColumnIsNotInOrder() {
    bothGive(
        xyv(),
        "SELECT x, y % 2, sum(v) FROM t GROUP BY 1, 2 ORDER BY 1, 2",
        List.of(
            List.of("1", "0", "20"),
            List.of("1", "1", "40"),
            List.of("2", "0", "50"),
            List.of("2", "1", "100")));
  }

  @Test
  void groupsOfOrderedKeysNeedNeitherHashTableNorSort() {
    try (MemoryEngine engine = MemoryEngine.optimised(xyv())) {
      assertThat(engine.explain("SELECT x, y, sum(v) FROM t GROUP BY x, y ORDER BY x, y"))
          .contains("ordering_mode=Sorted", "sort [x@0 ASC, y@1 ASC] removed")
          .doesNotContain("SortExec");
    }
  }

  @Test
  void aComputedKeyOverAUnionIsSorted() {
    bothGive(
        Map.of(),
        "SELECT CASE WHEN n = 'b' THEN 0.5 WHEN n = 'a' THEN 0.0 END a "
            + "FROM (SELECT 'a' n UNION ALL SELECT 'b') u ORDER BY a DESC",
        List.of(List.of("0.5"), List.of("0")));
  }

  /** Local time runs back at the end of summer time, so it does not follow the instant. */
  @Test
  void localTimeIsNotInTheOrderOfItsInstant() {
    Map<String, SourceTable> tables =
        Map.of(
            "t",
            table(
                List.of("ts"),
                DataType.TIMESTAMPTZ,
                List.of(
                    new Object[] {Instant.parse("2023-11-05T08:40:00Z")},
                    new Object[] {Instant.parse("2023-11-05T09:20:00Z")}),
                0));
    try (MemoryEngine engine = MemoryEngine.optimised(tables)) {
      String sql = "SELECT CAST(ts AS timestamp) AS x FROM t ORDER BY x";
      assertThat(engine.explain(sql)).contains("SortExec");
      assertThat(engine.explain("SELECT ts FROM t ORDER BY ts")).doesNotContain("SortExec");
    }
  }

  @Test
  void nestedOffsetsAreBothKept() {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (long i = 1; i <= 10; i++) {
      rows.add(new Object[] {i});
    }
    bothGive(
        Map.of("t", table(List.of("a"), DataType.BIGINT, rows, 0)),
        "SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 5 OFFSET 2) x "
            + "ORDER BY a DESC LIMIT 2 OFFSET 1",
        List.of(List.of("6"), List.of("5")));
  }

  @Test
  void groupingSetsKeepGroupsOfNullsApartFromTotals() {
    bothGive(
        Map.of(
            "t",
            table(
                List.of("v"),
                DataType.BIGINT,
                List.of(new Object[] {1L}, new @Nullable Object[] {null}))),
        "SELECT v, count(*), grouping(v) FROM t GROUP BY GROUPING SETS ((v), ()) ORDER BY 1, 3, 2",
        List.of(List.of("1", "1", "0"), List.of("NULL", "1", "0"), List.of("NULL", "2", "1")));
  }

  @Test
  void notInWithNullsIsUnknown() {
    Map<String, SourceTable> tables =
        Map.of(
            "t",
            table(
                List.of("a"),
                DataType.BIGINT,
                List.of(new Object[] {1L}, new Object[] {2L}, new @Nullable Object[] {null}),
                0),
            "u",
            table(
                List.of("b"),
                DataType.BIGINT,
                List.of(new Object[] {2L}, new @Nullable Object[] {null})),
            "none",
            table(List.of("b"), DataType.BIGINT, List.of()));
    bothGive(tables, "SELECT a FROM t WHERE a NOT IN (SELECT b FROM u)", List.of());
    bothGive(
        tables,
        "SELECT a, a IN (SELECT b FROM u) FROM t ORDER BY a",
        List.of(List.of("1", "NULL"), List.of("2", "true"), List.of("NULL", "NULL")));
    bothGive(
        tables,
        "SELECT a, a NOT IN (SELECT b FROM none) FROM t ORDER BY a",
        List.of(List.of("1", "true"), List.of("2", "true"), List.of("NULL", "true")));
  }
}
