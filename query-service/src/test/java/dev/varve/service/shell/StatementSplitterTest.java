package dev.varve.service.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.service.shell.StatementSplitter.Statement;
import org.junit.jupiter.api.Test;

class StatementSplitterTest {

  @Test
  void semicolonsInTextNamesAndCommentsEndNothing() {
    String text =
        "SELECT ';', 'it''s;', \"a;\"\"b\" -- no; \n/* no; /* nested; */ ; */ FROM t;\n  SELECT 2 ; ;";
    assertThat(StatementSplitter.split(text).statements())
        .containsExactly(
            new Statement(
                "SELECT ';', 'it''s;', \"a;\"\"b\" -- no; \n/* no; /* nested; */ ; */ FROM t",
                1,
                1),
            new Statement("SELECT 2 ", 3, 3));
  }

  @Test
  void whatFollowsTheLastSemicolonIsTheRest() {
    StatementSplitter.Split split = StatementSplitter.split("SELECT 1; SELECT");
    assertThat(split.rest().text()).isEqualTo("SELECT");
    assertThat(split.open()).isFalse();
    assertThat(StatementSplitter.split("SELECT 1; -- done").rest().text()).isEmpty();
  }

  @Test
  void anOpenQuoteOrCommentIsTold() {
    assertThat(StatementSplitter.split("SELECT 'a;").open()).isTrue();
    assertThat(StatementSplitter.split("SELECT \"a;").open()).isTrue();
    assertThat(StatementSplitter.split("/* a; /* b */").open()).isTrue();
    assertThat(StatementSplitter.split("SELECT 'a'").open()).isFalse();
  }
}
