package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.DuckDbPeer;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.engine.testing.SharedData;
import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every file of apache/parquet-testing: the flat columns give DuckDB's rows, or a clear error. */
class ForeignFilesTest {
  private static final Set<String> CORRUPT =
      Set.of(
          "datapage_v1-corrupt-checksum.parquet", "rle-dict-uncompressed-corrupt-checksum.parquet");

  private final ScanServices services = ScanServices.create();

  @TestFactory
  Stream<DynamicTest> flatColumnsAreAsDuckDbReadsThem() throws IOException {
    Path folder = SharedData.folder("parquet-testing").orElse(null);
    if (folder == null) {
      return Stream.of(
          DynamicTest.dynamicTest(
              "skipped",
              () -> abort("parquet-testing is not here: set -Dvarve.sharedData to its parent")));
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(f -> f.toString().endsWith(".parquet")).sorted().toList().stream()
          .map(f -> DynamicTest.dynamicTest(folder.relativize(f).toString(), () -> compare(f)));
    }
  }

  private void compare(Path file) throws SQLException {
    String name = file.getFileName().toString();
    ParquetFilesSource source =
        ParquetFilesSource.open(file.toString(), new LocalFileIO(), services);
    List<Integer> flat = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < source.schema().size(); i++) {
      if (source.schema().type(i) != DataType.NULL) {
        flat.add(i);
        names.add('"' + source.schema().field(i).name() + '"');
      } else {
        refusesToSelect(source, i);
      }
    }
    if (flat.isEmpty()) {
      return;
    }
    PhysicalPlan scan = source.scan(new ScanRequest(flat, Settings.DEFAULTS));
    if (CORRUPT.contains(name)) {
      assertThatThrownBy(() -> PlanRunner.rows(scan, Settings.DEFAULTS))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT);
                assertThat(e)
                    .hasMessageContaining(name)
                    .hasMessageContaining("row group 0, column")
                    .hasMessageContaining("checksum");
              });
      return;
    }
    List<List<String>> ours = DuckDbPeer.texts(PlanRunner.rows(scan, Settings.DEFAULTS));
    if (name.equals("int96_from_spark.parquet")) {
      // DuckDB's own answer overflows in the last row; this is what the file's description says.
      assertThat(ours.getLast()).containsExactly("+290000-12-30T23:00");
      return;
    }
    if (name.equals("byte_stream_split_extended.gzip.parquet")) {
      // DuckDB cannot read it; each column stands there twice, in two encodings.
      for (List<String> row : ours) {
        for (int i = 0; i < row.size(); i += 2) {
          assertThat(row.get(i)).isEqualTo(row.get(i + 1));
        }
      }
      return;
    }
    try (DuckDbPeer duck = new DuckDbPeer()) {
      assertThat(ours)
          .isEqualTo(
              duck.query(
                  "SELECT " + String.join(", ", names) + " FROM read_parquet('" + file + "')"));
    }
  }

  private static void refusesToSelect(ParquetFilesSource source, int column) {
    assertThatThrownBy(() -> source.scan(new ScanRequest(List.of(column), Settings.DEFAULTS)))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.FEATURE_NOT_SUPPORTED);
              assertThat(e).hasMessageContaining(source.schema().field(column).name());
            });
  }

  @TestFactory
  Stream<DynamicTest> encryptedFilesAreRefused() throws IOException {
    Path folder = SharedData.folder("parquet-testing").orElse(null);
    if (folder == null) {
      return Stream.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(f -> f.toString().endsWith(".encrypted")).sorted().toList().stream()
          .map(
              f ->
                  DynamicTest.dynamicTest(
                      folder.relativize(f).toString(),
                      () ->
                          assertThatThrownBy(
                                  () ->
                                      ParquetFilesSource.open(
                                          f.toString(), new LocalFileIO(), services))
                              .isInstanceOfSatisfying(
                                  VarveException.class,
                                  e ->
                                      assertThat(e.code())
                                          .isEqualTo(ErrorCode.FEATURE_NOT_SUPPORTED))));
    }
  }
}
