package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A column declared VARCHAR(n) takes n characters, as PostgreSQL's does. */
class VarcharLengthTest {
  private Lake lake;

  @BeforeEach
  void open(@TempDir Path folder) {
    lake = Lake.open(folder);
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
    lake.run("CREATE TABLE t (id bigint, s varchar(3), c char(2), w varchar)");
  }

  @AfterEach
  void close() {
    lake.close();
  }

  @Test
  void keepsTextsThatFitAndCutsBlanksBeyond() {
    lake.run(
        "INSERT INTO t VALUES (1, 'abc', 'xy', 'long enough'), (2, 'äöü', NULL, ''), (3, 'ab    ', '', 'x')");
    assertThat(lake.rows("SELECT s, c, w FROM t ORDER BY id"))
        .containsExactly(
            List.of("abc", "xy", "long enough"),
            List.of("äöü", "NULL", ""),
            List.of("ab ", "", "x"));
  }

  @Test
  void refusesALongerTextWithTheColumnAndItsType() {
    assertThatThrownBy(() -> lake.run("INSERT INTO t VALUES (1, 'abcd', '', '')"))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STRING_TOO_LONG);
              assertThat(e).hasMessageContaining("'s' of type varchar(3)");
            });
    assertThatThrownBy(
            () ->
                lake.run("INSERT INTO t (id, c) SELECT n_nationkey, n_name FROM tpch.tiny.nation"))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STRING_TOO_LONG));
    assertThat(lake.rows("SELECT count(*) FROM t")).containsExactly(List.of("0"));
  }

  @Test
  void cutsWhatIsCastToIt() {
    lake.run("INSERT INTO t SELECT 1, CAST('abcdef' AS varchar(3)), CAST('xyz' AS char(2)), 'w'");
    assertThat(lake.rows("SELECT s, c FROM t")).containsExactly(List.of("abc", "xy"));
  }
}
