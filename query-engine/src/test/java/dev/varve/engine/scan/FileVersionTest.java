package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.Settings;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Footers are shared by statements only while a file is what it was. */
class FileVersionTest {
  @TempDir Path folder;

  private static void write(Path file, long first) {
    ParquetFile.of("message m { required int64 k; }")
        .write(
            file, LongStream.range(first, first + 100).mapToObj(k -> List.<Object>of(k)).toList());
  }

  /** Nobody can set back when a file was changed, so that it ages by looking later. */
  private static Instant later() {
    return Instant.now().plusSeconds(60);
  }

  private static Object firstKey(Path file, ScanServices services) {
    ParquetFilesSource source =
        ParquetFilesSource.open(file.toString(), new LocalFileIO(), services, later());
    return PlanRunner.rows(
            source.scan(new ScanRequest(List.of(0), Settings.DEFAULTS)), Settings.DEFAULTS)
        .getFirst()
        .getFirst();
  }

  @Test
  void aFileThatWasChangedJustNowHasNoVersion() throws IOException {
    Path file = folder.resolve("a.parquet");
    write(file, 3000);
    LocalFileIO io = new LocalFileIO();
    assertThat(FileVersion.of(io.newInputFile(file.toString()), Instant.now())).isEmpty();
    assertThat(FileVersion.of(io.newInputFile(file.toString()), later())).isPresent();
    String none = folder.resolve("none").toString();
    assertThat(FileVersion.of(io.newInputFile(none), Instant.now())).isEmpty();
  }

  @Test
  void aFooterIsReadOnceForAllStatements() throws IOException {
    Path file = folder.resolve("a.parquet");
    write(file, 3000);
    ScanServices services = ScanServices.create();
    firstKey(file, services);
    long bytes = services.footers().bytes();
    assertThat(bytes).isPositive();
    firstKey(file, services);
    assertThat(services.footers().bytes()).isEqualTo(bytes);
  }

  @Test
  void aReplacedFileAndARewrittenOneAreReadAnew() throws IOException {
    Path file = folder.resolve("a.parquet");
    ScanServices services = ScanServices.create();
    write(file, 3000);
    assertThat(firstKey(file, services)).isEqualTo(3000L);
    Path other = folder.resolve("b.parquet");
    write(other, 1000);
    // The same size and time, but another file.
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
    assertThat(Files.size(other)).isEqualTo(Files.size(file));
    Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(firstKey(file, services)).isEqualTo(1000L);
    // The same file with other content.
    Path third = folder.resolve("c.parquet");
    write(third, 2000);
    Files.write(file, Files.readAllBytes(third));
    assertThat(firstKey(file, services)).isEqualTo(2000L);
  }
}
