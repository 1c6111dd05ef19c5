package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.config.Settings;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A damaged file gives rows or an error that names it; never a hang, a crash or a raw exception.
 */
class DamagedFilesTest {
  private static final int CASES = 1200;

  private final ScanServices services = ScanServices.create();

  @TempDir Path folder;

  private Path write(String name, CompressionCodecName codec, boolean v2, boolean dictionary) {
    Random random = new Random(7);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      List<@Nullable Object> row = new ArrayList<>();
      row.add(i % 9 == 0 ? null : i);
      row.add((long) i * 31);
      row.add(i % 5 == 0 ? null : "text " + random.nextInt(dictionary ? 20 : 100_000));
      row.add(i / 3.0);
      row.add(i % 3 == 0);
      rows.add(row);
    }
    ParquetFile writer =
        ParquetFile.of(
                "message m { optional int32 i; required int64 l; optional binary s (STRING);"
                    + " required double d; required boolean b; }")
            .codec(codec)
            .dictionary(dictionary)
            // Checksums would find nearly everything: the decoders are what is tested here.
            .with(b -> b.withPageWriteChecksumEnabled(false))
            .rowsPerGroup(300)
            .rowsPerPage(100);
    return (v2 ? writer.version2() : writer).write(folder.resolve(name), rows);
  }

  private int read(Path file) {
    ParquetFilesSource source =
        ParquetFilesSource.open(file.toString(), new LocalFileIO(), services);
    List<Integer> all = IntStream.range(0, source.schema().size()).boxed().toList();
    return PlanRunner.rows(source.scan(new ScanRequest(all, Settings.DEFAULTS)), Settings.DEFAULTS)
        .size();
  }

  @ParameterizedTest
  @CsvSource({
    "UNCOMPRESSED,false,true",
    "UNCOMPRESSED,true,false",
    "SNAPPY,false,false",
    "ZSTD,true,true",
    "GZIP,false,true",
    "LZ4_RAW,true,false"
  })
  void mutationsGiveRowsOrAnErrorThatNamesTheFile(
      CompressionCodecName codec, boolean v2, boolean dictionary) throws IOException {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("mutations of " + codec + ": -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    byte[] good = Files.readAllBytes(write("good.parquet", codec, v2, dictionary));
    Path bad = folder.resolve("bad.parquet");
    int errors = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] mutant = mutate(good, random);
      Files.write(bad, mutant);
      try {
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> read(bad));
      } catch (VarveException e) {
        errors++;
        assertThat(e.code())
            .as(e.getMessage())
            .isIn(
                ErrorCode.FILE_CORRUPT,
                ErrorCode.FEATURE_NOT_SUPPORTED,
                ErrorCode.TYPE_MISMATCH,
                ErrorCode.MEMORY_LIMIT_EXCEEDED);
      }
    }
    assertThat(errors).as("errors among %d mutants", CASES).isGreaterThan(CASES / 20);
  }

  private static byte[] mutate(byte[] good, Random random) {
    byte[] mutant = good.clone();
    switch (random.nextInt(5)) {
      case 0 -> mutant = Arrays.copyOf(mutant, random.nextInt(mutant.length));
      case 1 -> {
        int at = random.nextInt(mutant.length);
        int length = Math.min(mutant.length - at, 1 + random.nextInt(64));
        for (int i = 0; i < length; i++) {
          mutant[at + i] = (byte) random.nextInt();
        }
      }
      case 2 -> {
        int at = random.nextInt(mutant.length);
        mutant[at] = (byte) (random.nextBoolean() ? 0xff : 0x00);
      }
      default -> {
        // Mostly in the footer and page headers, where lengths are.
        int range = random.nextBoolean() ? mutant.length : Math.min(mutant.length, 2000);
        int at = mutant.length - 1 - random.nextInt(range);
        mutant[at] ^= (byte) (1 << random.nextInt(8));
      }
    }
    return mutant;
  }

  @Test
  void aTruncatedFileSaysSo() throws IOException {
    Path file = write("t.parquet", CompressionCodecName.SNAPPY, false, true);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    assertThatThrownBy(() -> read(file))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_CORRUPT))
        .hasMessageContaining("t.parquet")
        .hasMessageContaining("truncated");
  }

  @Test
  void aFileThatIsNoParquetFileSaysSo() throws IOException {
    Path file = Files.writeString(folder.resolve("t.parquet"), "no, this is text\n".repeat(9));
    assertThatThrownBy(() -> read(file)).hasMessageContaining("no Parquet file");
    Path empty = Files.writeString(folder.resolve("e.parquet"), "");
    assertThatThrownBy(() -> read(empty)).hasMessageContaining("a file of 0 bytes");
  }

  @Test
  void aMissingFileSaysSo() {
    assertThatThrownBy(() -> read(folder.resolve("gone.parquet")))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND))
        .hasMessageContaining("gone.parquet");
    assertThatThrownBy(() -> read(folder.resolve("*.gone")))
        .hasMessageContaining("no file matches");
  }

  @Test
  void aDamagedPageNamesFileRowGroupAndColumn() throws IOException {
    Path file = write("t.parquet", CompressionCodecName.SNAPPY, false, false);
    byte[] bytes = Files.readAllBytes(file);
    // The header of the first page of the first column.
    Arrays.fill(bytes, 4, 12, (byte) 0xff);
    Files.write(file, bytes);
    assertThatThrownBy(() -> read(file)).hasMessageContaining("t.parquet, row group 0, column i: ");
  }
}
