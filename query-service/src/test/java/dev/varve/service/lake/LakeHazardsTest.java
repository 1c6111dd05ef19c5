package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.Session;
import dev.varve.engine.suite.Configuration;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that other engines had with tables in order. */
class LakeHazardsTest {
  private Lake lake;

  @BeforeEach
  void open(@TempDir Path folder) {
    lake = Lake.open(folder);
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
  }

  @AfterEach
  void close() {
    lake.close();
  }

  private Session session(Configuration configuration) {
    Session session = lake.newSession();
    Lake.rows(session, "USE lake.s");
    configuration.apply(session);
    return session;
  }

  /** A3, A7: a sorted file that is read in parts is sorted within the parts only. */
  @ParameterizedTest
  @EnumSource
  void aSortedFileReadByManyTasksKeepsItsOrder(Configuration configuration) {
    lake.run(
        "CREATE TABLE t ORDERED BY (o_custkey, o_orderkey) WITH (row_group_rows = 200) AS"
            + " SELECT o_custkey, o_orderkey, o_totalprice FROM tpch.tiny.orders"
            + " WHERE o_orderkey <= 6400");
    Session session = session(configuration);
    if (configuration != Configuration.NO_OPTIMIZATIONS
        && configuration != Configuration.ONE_PARTITION) {
      Lake.rows(session, "SET execution.target_partitions = '6'");
    }
    List<List<String>> ordered =
        Lake.rows(session, "SELECT o_custkey, o_orderkey FROM t ORDER BY o_custkey, o_orderkey");
    assertThat(ordered)
        .hasSize(1600)
        .isSortedAccordingTo(
            (a, b) -> {
              int first = Long.compare(Long.parseLong(a.get(0)), Long.parseLong(b.get(0)));
              return first != 0
                  ? first
                  : Long.compare(Long.parseLong(a.get(1)), Long.parseLong(b.get(1)));
            });
    assertThat(
            Lake.rows(
                session,
                "SELECT count(*), sum(n) FROM (SELECT o_custkey, count(*) AS n FROM t"
                    + " GROUP BY o_custkey) x"))
        .isEqualTo(Lake.rows(session, "SELECT count(DISTINCT o_custkey), count(*) FROM t"));
    assertThat(
            Lake.rows(
                session,
                "SELECT count(*), sum(a.o_totalprice) FROM t a JOIN t b"
                    + " ON a.o_custkey = b.o_custkey AND a.o_orderkey = b.o_orderkey"))
        .isEqualTo(Lake.rows(session, "SELECT count(*), sum(o_totalprice) FROM t"));
  }

  /** A11: files whose bounds agree as far as they go are not one after the other. */
  @ParameterizedTest
  @EnumSource
  void filesWithTheSameCutBoundsAreMerged(Configuration configuration) {
    String same = "a".repeat(70);
    lake.run("CREATE TABLE t (s varchar) ORDERED BY (s)");
    lake.run("INSERT INTO t VALUES ('" + same + "1'), ('" + same + "3')");
    lake.run("INSERT INTO t VALUES ('" + same + "0'), ('" + same + "2')");
    assertThat(Lake.rows(session(configuration), "SELECT right(s, 1) FROM t ORDER BY s"))
        .containsExactly(List.of("0"), List.of("1"), List.of("2"), List.of("3"));
  }
}
