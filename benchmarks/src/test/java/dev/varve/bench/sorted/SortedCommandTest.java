package dev.varve.bench.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on a small table. */
class SortedCommandTest {
  @TempDir private Path folder;

  @Test
  void bothVariantsAreMadeComparedAndProvenToNeedNoSort() throws Exception {
    Path json = folder.resolve("figures.json");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    int code =
        SortedCommand.parse(
                List.of(
                    "--rows",
                    "20000",
                    "--peer",
                    "duckdb",
                    "--runs",
                    "1",
                    "--warmups",
                    "0",
                    "--lookups",
                    "20",
                    "--home",
                    folder.toString(),
                    "--json",
                    json.toString()))
            .run(new PrintStream(printed, true, StandardCharsets.UTF_8));
    String text = printed.toString(StandardCharsets.UTF_8);
    assertThat(text).doesNotContain("NO:").contains("no plan has a sort");
    assertThat(code).isZero();
    JsonNode queries = new ObjectMapper().readTree(Files.readString(json)).at("/queries");
    assertThat(queries).hasSize(14);
    assertThat(queries).allSatisfy(query -> assertThat(query.at("/equal").asBoolean()).isTrue());
    assertThat(queries.findValuesAsText("name")).contains("point, disjoint", "merge join, overlap");
  }

  @Test
  void aPlanWithASortIsSeen() {
    assertThat(PlanProof.sorts("DataSourceExec: t\nSortPreservingMergeExec: [k ASC]")).isFalse();
    assertThat(PlanProof.sorts("SortExec: [k ASC]\n  DataSourceExec: t")).isTrue();
    assertThat(PlanProof.sorts("SortExec: TopK(fetch=3)\n  DataSourceExec: t")).isTrue();
  }
}
