package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.PreparedStatement;
import dev.varve.engine.Session;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of a statement before it runs, where it is no query. */
class PreparedWritesTest {
  @TempDir static Path folder;
  private static Lake lake;
  private static Session session;

  @BeforeAll
  static void open() {
    lake = Lake.open(folder);
    session = lake.newSession();
    lake.run("CREATE SCHEMA s");
    for (String sql :
        List.of("USE s", "CREATE TABLE t (i integer, n decimal(10,2), v varchar, at timestamp)")) {
      assertThat(Lake.rows(session, sql)).isEmpty();
    }
  }

  @AfterAll
  static void close() throws Exception {
    lake.close();
  }

  private static PreparedStatement prepare(String sql) {
    return session.prepare(sql);
  }

  @Test
  void aValueOfAnInsertIsOfItsColumnsType() {
    assertThat(prepare("INSERT INTO t VALUES (?, ?, ?, ?)").parameterTypes())
        .containsExactly(
            DataType.INTEGER, DataType.decimal(10, 2), DataType.VARCHAR, DataType.TIMESTAMP);
    assertThat(prepare("INSERT INTO t (v, i) VALUES ($2, $1), ('x', $1)").parameterTypes())
        .containsExactly(DataType.INTEGER, DataType.VARCHAR);
    assertThat(prepare("INSERT INTO t (n) SELECT ? UNION ALL SELECT ? AS x").parameterTypes())
        .containsExactly(DataType.decimal(10, 2), DataType.decimal(10, 2));
    assertThat(prepare("INSERT INTO t (i) SELECT i FROM t WHERE v = ?").parameterTypes())
        .containsExactly(DataType.VARCHAR);
    assertThat(prepare("INSERT INTO t (i) VALUES (? + 1)").schema()).isEmpty();
  }

  @Test
  void anInsertIsCheckedWhenItIsPrepared() {
    assertThatThrownBy(() -> prepare("INSERT INTO t VALUES (?)"))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SYNTAX_ERROR));
    assertThatThrownBy(() -> prepare("INSERT INTO t (nothing) VALUES (?)"))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNDEFINED_COLUMN));
  }

  @Test
  void whatAnswersRowsSaysWhich() {
    assertThat(prepare("SHOW CATALOGS").schema().orElseThrow().field(0).name())
        .isEqualTo("catalog");
    assertThat(prepare("EXPLAIN SELECT i FROM t WHERE i = ?").parameterTypes())
        .containsExactly(DataType.INTEGER);
    assertThat(prepare("EXPLAIN ANALYZE SELECT 1").schema().orElseThrow().size()).isEqualTo(1);
    assertThat(prepare("CALL system.compact('lake.s.t')").schema().orElseThrow().size())
        .isPositive();
    assertThat(prepare("DESCRIBE t").schema().orElseThrow().size()).isPositive();
  }

  @Test
  void whatChangesSomethingAnswersNothingAndIsNotDoneByPreparingIt() {
    assertThat(prepare("CREATE TABLE t2 (a integer)").schema()).isEmpty();
    assertThat(prepare("DROP TABLE t").schema()).isEmpty();
    assertThat(prepare("SET timezone = 'Asia/Tokyo'").schema()).isEmpty();
    assertThat(prepare("CREATE TABLE t3 AS SELECT i FROM t WHERE i > ?").parameterTypes())
        .isEqualTo(List.of(DataType.INTEGER));
    assertThat(Lake.rows(session, "SHOW TABLES").toString())
        .contains("t")
        .doesNotContain("t2", "t3");
  }
}
