package dev.varve.service.lake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.port.AccessControl.Access;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.types.Types;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ViewsTest {
  @TempDir Path folder;

  /** What nobody may read now; empty for nothing. */
  private final AtomicReference<String> closed = new AtomicReference<>("");

  private Lake lake;

  @BeforeEach
  void open() {
    lake =
        Lake.open(
            folder,
            (principal, accesses) -> {
              for (Access access : accesses) {
                if (access.privilege() == Privilege.SELECT
                    && access.object().table().equals(closed.get())) {
                  throw new VarveException(
                      ErrorCode.INSUFFICIENT_PRIVILEGE, "no SELECT on " + access.object());
                }
              }
            });
    lake.run("CREATE SCHEMA s");
    lake.run("USE lake.s");
    lake.run("CREATE TABLE t (k bigint NOT NULL, name varchar, price decimal(10, 2))");
    lake.run("INSERT INTO t VALUES (1, 'a', 1.50), (2, 'b', 2.50), (3, null, 3.50)");
  }

  @AfterEach
  void close() {
    lake.close();
  }

  private AbstractThrowableAssert<?, ?> refused(String sql, ErrorCode code) {
    return assertThatThrownBy(() -> lake.run(sql))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).as(e.toString()).isEqualTo(code));
  }

  @Test
  void aViewStandsForItsQueryUnderItsOwnColumnNames() {
    lake.run("CREATE VIEW dear (id, label) AS SELECT k, upper(name) FROM t WHERE price > 2;");
    assertThat(lake.rows("SELECT id, label FROM dear ORDER BY id DESC"))
        .isEqualTo(lake.rows("SELECT k, upper(name) FROM t WHERE price > 2 ORDER BY k DESC"));
    assertThat(lake.rows("SELECT d.label FROM dear d JOIN t ON t.k = d.id WHERE t.price < 3"))
        .containsExactly(List.of("B"));
    refused("SELECT k FROM dear", ErrorCode.UNDEFINED_COLUMN).hasMessageContaining("'k'");
  }

  @Test
  void namesInAViewMeanWhatTheyMeantToItsDefinerWhoeverAsks() {
    lake.run("CREATE VIEW asked AS SELECT count(*) >= 0 AS answered FROM system.queries");
    lake.run("CREATE VIEW ours AS SELECT k FROM t");
    lake.run("USE tpch.tiny");
    assertThat(lake.rows("SELECT * FROM lake.s.asked")).containsExactly(List.of("true"));
    assertThat(lake.rows("SELECT count(*) FROM lake.s.ours")).containsExactly(List.of("3"));
  }

  @Test
  void whatIsAskedOfAViewReachesTheScanBelow() {
    lake.run("CREATE VIEW v AS SELECT k AS id, name FROM t");
    assertThat(lake.explain("SELECT name FROM v WHERE id = 2")).contains("filters=[k@0 = 2]");
  }

  @Test
  void namesMeanWhatTheyMeantWhereTheDefinerWas() {
    lake.run("CREATE VIEW v AS SELECT count(*) AS n FROM t");
    lake.run("CREATE SCHEMA other");
    lake.run("USE lake.other");
    lake.run("CREATE TABLE t (x bigint)");
    assertThat(lake.rows("SELECT n FROM s.v")).containsExactly(List.of("3"));
    assertThat(lake.rows("SELECT n FROM lake.s.v")).containsExactly(List.of("3"));
  }

  @Test
  void viewsOverViewsOverQueriesWithEverythingAreExpanded() {
    lake.run(
        "CREATE VIEW totals AS WITH x AS (SELECT k % 2 AS parity, price FROM t)"
            + " SELECT parity, sum(price) AS total FROM x GROUP BY parity ORDER BY parity");
    lake.run(
        """
        CREATE VIEW above AS
          -- those above the average
          SELECT parity FROM totals
          WHERE total > (SELECT avg(total) FROM totals)
            AND EXISTS (SELECT 1 FROM t WHERE t.k = totals.parity)
        """);
    assertThat(lake.rows("SELECT * FROM above")).containsExactly(List.of("1"));
    assertThat(lake.rows("SELECT count(*) FROM above a, above b WHERE a.parity = b.parity"))
        .containsExactly(List.of("1"));
  }

  @Test
  void aViewIsReplacedAsAWholeOrLeftAsItWas() {
    lake.run("CREATE VIEW v AS SELECT k FROM t");
    refused("CREATE VIEW v AS SELECT name FROM t", ErrorCode.DUPLICATE_TABLE)
        .hasMessageContaining("view 'lake.s.v'");
    lake.run("CREATE VIEW IF NOT EXISTS v AS SELECT name FROM t");
    assertThat(lake.rows("SELECT * FROM v WHERE k = 3")).hasSize(1);
    lake.run("CREATE OR REPLACE VIEW v AS SELECT name, price FROM t");
    assertThat(lake.rows("SELECT price FROM v WHERE name = 'b'")).containsExactly(List.of("2.5"));
    refused("CREATE OR REPLACE VIEW v AS SELECT nothing FROM t", ErrorCode.UNDEFINED_COLUMN);
    assertThat(lake.rows("SELECT price FROM v WHERE name = 'b'")).containsExactly(List.of("2.5"));
  }

  @Test
  void aNameIsATablesOrAViews() {
    refused("CREATE VIEW t AS SELECT 1 AS one", ErrorCode.DUPLICATE_TABLE)
        .hasMessageContaining("table 'lake.s.t'");
    refused("CREATE OR REPLACE VIEW t AS SELECT 1 AS one", ErrorCode.DUPLICATE_TABLE);
    lake.run("CREATE VIEW v AS SELECT 1 AS one");
    refused("CREATE TABLE v (k bigint)", ErrorCode.DUPLICATE_TABLE);
    refused("DROP TABLE v", ErrorCode.UNDEFINED_TABLE);
    refused("DROP VIEW t", ErrorCode.UNDEFINED_TABLE);
    refused("INSERT INTO v VALUES (1)", ErrorCode.UNDEFINED_TABLE);
  }

  @Test
  void aViewThatWouldLeadBackToItselfIsRefused() {
    refused("CREATE VIEW v AS SELECT * FROM v", ErrorCode.UNDEFINED_TABLE);
    lake.run("CREATE VIEW v AS SELECT k FROM t");
    lake.run("CREATE VIEW w AS SELECT k FROM v");
    refused("CREATE OR REPLACE VIEW v AS SELECT k FROM w", ErrorCode.INVALID_VIEW)
        .hasMessageContaining("lake.s.v -> lake.s.w -> lake.s.v");
    assertThat(lake.rows("SELECT * FROM w")).hasSize(3);
  }

  @Test
  void whatHappenedToATableIsSaidInTheNameOfTheView() {
    lake.run("CREATE VIEW v AS SELECT * FROM t");
    lake.run("CREATE VIEW w AS SELECT k FROM v");
    lake.table("t").updateSchema().addColumn("more", Types.LongType.get()).commit();
    refused("SELECT * FROM v", ErrorCode.INVALID_VIEW)
        .hasMessage("view 'lake.s.v': it was defined with 3 columns, and its query now has 4");
    lake.run("DROP TABLE t");
    refused("SELECT * FROM w", ErrorCode.UNDEFINED_TABLE)
        .hasMessageContaining("view 'lake.s.v'")
        .hasMessageContaining("'t'");
  }

  @Test
  void theViewAndWhatItReadsAreBothAskedFor() {
    lake.run("CREATE VIEW v AS SELECT k FROM t");
    closed.set("t");
    refused("SELECT * FROM v", ErrorCode.INSUFFICIENT_PRIVILEGE).hasMessageContaining("lake.s.t");
    closed.set("v");
    refused("SELECT * FROM v", ErrorCode.INSUFFICIENT_PRIVILEGE).hasMessageContaining("lake.s.v");
    refused("DESCRIBE v", ErrorCode.INSUFFICIENT_PRIVILEGE);
    closed.set("");
    assertThat(lake.rows("SELECT * FROM v")).hasSize(3);
  }

  @Test
  void aPlanThatIsKeptEndsWithItsViews() {
    String query = "SELECT * FROM w";
    lake.run("CREATE VIEW v AS SELECT k AS x FROM t WHERE k = 1");
    lake.run("CREATE VIEW w AS SELECT x FROM v");
    assertThat(lake.rows(query)).containsExactly(List.of("1"));
    assertThat(lake.rows(query)).containsExactly(List.of("1"));
    lake.run("CREATE OR REPLACE VIEW v AS SELECT k AS x FROM t WHERE k = 2");
    assertThat(lake.rows(query)).containsExactly(List.of("2"));
    closed.set("v");
    refused(query, ErrorCode.INSUFFICIENT_PRIVILEGE);
    closed.set("");
    lake.run("DROP VIEW v");
    refused(query, ErrorCode.UNDEFINED_TABLE).hasMessageContaining("lake.s.w");
    lake.run("CREATE TABLE v (x bigint NOT NULL)");
    assertThat(lake.rows(query)).isEmpty();
  }

  @Test
  void viewsAreListedAndDescribed() {
    lake.run("CREATE VIEW v (a, b) AS SELECT k,\n  name FROM t");
    lake.run("CREATE VIEW other AS SELECT 1 AS one");
    assertThat(lake.rows("SHOW VIEWS")).containsExactly(List.of("other"), List.of("v"));
    assertThat(lake.rows("SHOW VIEWS FROM lake.s LIKE 'v%'")).containsExactly(List.of("v"));
    assertThat(lake.rows("SHOW TABLES")).containsExactly(List.of("t"));
    assertThat(
            lake.rows(
                "SELECT table_schema, view_definition FROM information_schema.views"
                    + " WHERE table_name = 'v'"))
        .containsExactly(List.of("s", "SELECT k,\n  name FROM t"));
    assertThat(
            lake.rows(
                "SELECT table_name, table_type FROM information_schema.tables"
                    + " WHERE table_schema = 's' ORDER BY 1"))
        .containsExactly(
            List.of("other", "VIEW"), List.of("t", "BASE TABLE"), List.of("v", "VIEW"));
    assertThat(
            lake.rows(
                "SELECT column_name, is_nullable, data_type FROM information_schema.columns"
                    + " WHERE table_name = 'v' ORDER BY ordinal_position"))
        .containsExactly(List.of("a", "NO", "bigint"), List.of("b", "YES", "varchar"));
    assertThat(lake.rows("DESCRIBE v")).extracting(row -> row.get(0)).containsExactly("a", "b");
  }

  @Test
  void dropsSayWhetherThereWasAView() {
    lake.run("CREATE VIEW v AS SELECT k FROM t");
    lake.run("DROP VIEW v");
    refused("SELECT * FROM v", ErrorCode.UNDEFINED_TABLE);
    refused("DROP VIEW v", ErrorCode.UNDEFINED_TABLE).hasMessageContaining("view 'lake.s.v'");
    lake.run("DROP VIEW IF EXISTS v");
    lake.run("CREATE VIEW v AS SELECT k FROM t");
    refused("DROP SCHEMA s", ErrorCode.SCHEMA_NOT_EMPTY).hasMessageContaining("t, v");
    lake.run("DROP SCHEMA s CASCADE");
    lake.run("CREATE SCHEMA s");
    assertThat(lake.rows("SHOW VIEWS FROM lake.s")).isEmpty();
  }

  @Test
  void columnsOfAViewHaveNamesOfTheirOwn() {
    refused("CREATE VIEW v AS SELECT k, k FROM t", ErrorCode.DUPLICATE_COLUMN)
        .hasMessageContaining("'k'");
    refused("CREATE VIEW v (a) AS SELECT k, name FROM t", ErrorCode.INVALID_VIEW);
    refused("CREATE VIEW v (a, a) AS SELECT k, name FROM t", ErrorCode.DUPLICATE_COLUMN);
    refused("CREATE OR REPLACE VIEW IF NOT EXISTS v AS SELECT k FROM t", ErrorCode.SYNTAX_ERROR);
  }
}
