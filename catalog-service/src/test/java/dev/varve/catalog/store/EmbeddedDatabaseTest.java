package dev.varve.catalog.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.catalog.CatalogSettings;
import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.TestFiles;
import dev.varve.layout.FileFacts;
import dev.varve.layout.LayoutAnswer;
import dev.varve.layout.LayoutQuery;
import dev.varve.layout.io.LocalFileIO;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is acknowledged outlives the process. */
class EmbeddedDatabaseTest {
  private static final TableIdentifier NAME = TableIdentifier.of("s", "t");

  @TempDir Path directory;

  @Test
  void acknowledgedCommitsSurviveAKilledProcess() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("catalog"))) {
      LakeCatalog lake = open(database, directory);
      lake.catalog().createNamespace(Namespace.of("s"));
      lake.catalog().buildTable(NAME, TestFiles.SCHEMA).withSortOrder(TestFiles.BY_K).create();
    }
    List<String> acknowledged = commitInAProcessAndKillIt();
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(5);
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("catalog"))) {
      LakeCatalog lake = open(database, directory);
      Table table = lake.catalog().loadTable(NAME);
      List<String> paths = paths(table);
      assertThat(paths).doesNotHaveDuplicates().containsAll(acknowledged);
      assertThat(paths.size()).isLessThanOrEqualTo(acknowledged.size() + 1);
      LayoutAnswer answer =
          lake.layoutIndex()
              .plan(
                  new LayoutQuery(
                      table.uuid().toString(),
                      table.currentSnapshot().snapshotId(),
                      List.of(),
                      Optional.empty()));
      assertThat(answer).isInstanceOf(LayoutAnswer.Complete.class);
      List<FileFacts> files = ((LayoutAnswer.Complete) answer).files();
      assertThat(files).allSatisfy(file -> assertThat(file.orderings()).hasSize(1));
      assertThat(files.stream().map(FileFacts::path)).containsExactlyInAnyOrderElementsOf(paths);
    }
  }

  private List<String> commitInAProcessAndKillIt() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                EmbeddedDatabaseTest.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> acknowledged = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith("committed ")) {
          acknowledged.add(line.substring("committed ".length()));
        }
        if (acknowledged.size() == 5) {
          // Through the handle: the process's own method would also close its output.
          process.toHandle().destroyForcibly();
        }
      }
    }
    process.waitFor();
    return acknowledged;
  }

  /** Commits until it is killed. */
  public static void main(String[] arguments) {
    Path directory = Path.of(arguments[0]);
    EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("catalog"));
    LakeCatalog lake = open(database, directory);
    Table table = lake.catalog().loadTable(NAME);
    for (int i = 0; i < 10_000; i++) {
      DataFile file = TestFiles.file(table, i, i);
      lake.layoutIndex().stage(table.uuid().toString(), List.of(TestFiles.verified(file, i, i)));
      table.newFastAppend().appendFile(file).commit();
      System.out.println("committed " + file.location());
      System.out.flush();
    }
  }

  @Test
  void anInterruptedThreadDoesNotCloseTheDatabase() throws Exception {
    try (EmbeddedDatabase database = EmbeddedDatabase.open(directory.resolve("catalog"))) {
      LakeCatalog lake = open(database, directory);
      Thread thread =
          new Thread(
              () -> {
                for (int i = 0; i < 20; i++) {
                  Thread.currentThread().interrupt();
                  lake.catalog().createNamespace(Namespace.of("n" + i));
                }
              });
      thread.start();
      thread.join();
      assertThat(lake.catalog().listNamespaces()).hasSize(20);
    }
  }

  private static LakeCatalog open(EmbeddedDatabase database, Path directory) {
    return LakeCatalog.open(
        database.dataSource(),
        new CatalogSettings("lake", directory.resolve("warehouse").toString()),
        new LocalFileIO());
  }

  private static List<String> paths(Table table) throws IOException {
    List<String> paths = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      tasks.forEach(task -> paths.add(task.file().location()));
    }
    return paths;
  }
}
