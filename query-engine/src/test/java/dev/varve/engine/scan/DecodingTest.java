package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.testing.DuckDbPeer;
import dev.varve.engine.testing.ParquetFile;
import dev.varve.engine.testing.PlanRunner;
import dev.varve.layout.io.LocalFileIO;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read is what was written, by two other writers, in every type, encoding and codec. */
class DecodingTest {
  private static final String EVERY_TYPE =
      """
      SELECT CASE WHEN i % 7 = 3 THEN NULL ELSE i % 3 = 0 END AS b,
        (i % 100)::TINYINT AS i8, (i * 7 % 30000)::SMALLINT AS i16,
        CASE WHEN i % 5 = 0 THEN NULL ELSE i * 7919 - 100000 END::INTEGER AS i32,
        (i * 123456789123 - 500000)::BIGINT AS i64,
        (i % 200)::UTINYINT AS u8, (i % 65000)::USMALLINT AS u16, (4294967295 - i)::UINTEGER AS u32,
        (18446744073709551615 - i)::UBIGINT AS u64,
        (i / 3.0)::FLOAT AS f, CASE WHEN i % 11 = 0 THEN 'nan'::DOUBLE ELSE i / 7.0 END AS d,
        (i % 700 * 1.3 - 400)::DECIMAL(4, 1) AS d4, (i * 1.37 - 500)::DECIMAL(9, 2) AS d9,
        (i * 1000001.37)::DECIMAL(18, 2) AS d18, (i * -1000001.37)::DECIMAL(38, 10) AS d38,
        DATE '1969-06-01' + i::INTEGER AS dt, TIME '01:02:03.000004' + to_microseconds(i) AS tm,
        TIMESTAMP '1969-12-31 23:59:59.999999' + to_seconds(i) AS ts,
        (TIMESTAMP '2001-02-03 04:05:06' + to_seconds(i))::TIMESTAMP_MS AS tsms,
        (TIMESTAMP '2001-02-03 04:05:06' + to_seconds(i))::TIMESTAMP_NS AS tsns,
        TIMESTAMPTZ '2001-02-03 04:05:06+00' + to_seconds(i) AS tstz,
        CASE WHEN i % 4 = 1 THEN NULL ELSE 'value ' || (i % 37) END AS s,
        'longer text with number ' || i AS u, ('blob' || i)::BLOB AS bin,
        uuid_v_from(i) AS id
      FROM range(ROWS) t(i)
      """;

  private final ScanServices services = ScanServices.create();

  @TempDir Path folder;

  private void compare(DuckDbPeer duck, Path file, Settings settings) throws SQLException {
    ParquetFilesSource source =
        ParquetFilesSource.open(file.toString(), new LocalFileIO(), services);
    List<Integer> all = IntStream.range(0, source.schema().size()).boxed().toList();
    PhysicalPlan scan = source.scan(new ScanRequest(all, settings));
    assertThat(DuckDbPeer.texts(PlanRunner.rows(scan, settings)))
        .isEqualTo(duck.query("SELECT * FROM read_parquet('" + file + "')"));
  }

  @ParameterizedTest
  @CsvSource({
    "uncompressed,V1,2048",
    "snappy,V1,100000",
    "zstd,V1,4096",
    "gzip,V1,100000",
    "lz4_raw,V1,100000",
    "snappy,V2,100000",
    "zstd,V2,2048",
    "uncompressed,V2,100000"
  })
  void duckDbFilesAreReadAsDuckDbReadsThem(String codec, String version, int rowGroup)
      throws SQLException {
    try (DuckDbPeer duck = new DuckDbPeer()) {
      duck.execute(
          "CREATE MACRO uuid_v_from(i) AS"
              + " ('00000000-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0'))::UUID");
      Path file = folder.resolve("duck.parquet");
      duck.execute(
          "COPY ("
              + EVERY_TYPE.replace("ROWS", "7000")
              + ") TO '"
              + file
              + "' (FORMAT parquet, CODEC '"
              + codec
              + "', PARQUET_VERSION '"
              + version
              + "', ROW_GROUP_SIZE "
              + rowGroup
              + ")");
      compare(duck, file, Settings.DEFAULTS);
      compare(
          duck,
          file,
          Settings.DEFAULTS
              .with(EngineSettings.BATCH_SIZE, 7)
              .with(EngineSettings.TARGET_PARTITIONS, 3));
    }
  }

  private static final String JAVA_TYPES =
      """
      message m {
        optional boolean b; optional int32 i; required int32 ri; optional int64 l; required int64 rl;
        optional float f; optional double d; optional binary s (STRING); required binary rs (STRING);
        optional binary raw; optional fixed_len_byte_array(5) fix;
        optional int32 small (INTEGER(16,true)); optional int64 ts (TIMESTAMP(MICROS,true));
        optional fixed_len_byte_array(9) dec (DECIMAL(20,3)); optional binary dec2 (DECIMAL(12,2));
      }
      """;

  private static List<List<@Nullable Object>> javaRows(int count, long seed, boolean wild) {
    Random random = new Random(seed);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<@Nullable Object> row = new ArrayList<>();
      boolean run = (i / 500) % 3 == 1;
      row.add(value(random, run, random.nextBoolean()));
      row.add(value(random, run, wild ? random.nextInt() : random.nextInt(50)));
      row.add(wild ? i * 3 : random.nextInt(5));
      row.add(value(random, run, wild ? random.nextLong() : (long) i));
      row.add(wild ? random.nextLong() : 1_000_000_000_000L + i);
      row.add(value(random, run, random.nextInt(100) / 4f));
      row.add(value(random, run, wild ? random.nextDouble() : random.nextInt(9) * 0.5));
      row.add(value(random, run, "s" + (wild ? random.nextInt() : random.nextInt(20))));
      row.add("prefix/" + i + "/" + "x".repeat(random.nextInt(20)));
      byte[] raw = new byte[random.nextInt(12)];
      random.nextBytes(raw);
      row.add(value(random, run, raw));
      byte[] fix = new byte[5];
      random.nextBytes(fix);
      row.add(value(random, run, fix));
      row.add(value(random, run, random.nextInt(65536) - 32768));
      row.add(value(random, run, random.nextLong(2_000_000_000_000_000L)));
      byte[] decimal = new byte[9];
      random.nextBytes(decimal);
      decimal[0] = (byte) (decimal[1] >> 7);
      row.add(value(random, run, decimal));
      row.add(
          value(random, run, java.math.BigInteger.valueOf(random.nextInt() * 3L).toByteArray()));
      rows.add(row);
    }
    return rows;
  }

  private static @Nullable Object value(Random random, boolean nulls, Object value) {
    return nulls || random.nextInt(6) == 0 ? null : value;
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodecName.class,
      names = {"UNCOMPRESSED", "SNAPPY", "GZIP", "ZSTD", "LZ4_RAW"})
  void parquetJavaFilesAreReadAsDuckDbReadsThem(CompressionCodecName codec) throws SQLException {
    try (DuckDbPeer duck = new DuckDbPeer()) {
      for (boolean v2 : new boolean[] {false, true}) {
        for (boolean dictionary : new boolean[] {false, true}) {
          ParquetFile writer =
              ParquetFile.of(JAVA_TYPES)
                  .codec(codec)
                  .dictionary(dictionary)
                  .rowsPerGroup(1700)
                  .rowsPerPage(300);
          Path file = folder.resolve("java.parquet");
          (v2 ? writer.version2() : writer).write(file, javaRows(4000, 42, !dictionary));
          compare(duck, file, Settings.DEFAULTS);
          compare(duck, file, Settings.DEFAULTS.with(EngineSettings.BATCH_SIZE, 11));
        }
      }
    }
  }

  @Test
  void byteStreamSplitAndDictionaryThatOverflowsIntoPlainAreRead() throws SQLException {
    try (DuckDbPeer duck = new DuckDbPeer()) {
      Path file = folder.resolve("split.parquet");
      ParquetFile.of(
              "message m { required float f; required double d; optional binary s (STRING); }")
          .with(
              b ->
                  b.withByteStreamSplitEncoding("f", true)
                      .withByteStreamSplitEncoding("d", true)
                      .withDictionaryEncoding("f", false)
                      .withDictionaryEncoding("d", false)
                      .withDictionaryPageSize(2000))
          .rowsPerPage(100)
          .write(
              file,
              IntStream.range(0, 3000)
                  .mapToObj(i -> List.<Object>of(i / 3f, i / 7.0, "text number " + i % 900))
                  .toList());
      compare(duck, file, Settings.DEFAULTS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5})
  void everyPartitionCountGivesTheSameRows(int partitions) throws SQLException {
    try (DuckDbPeer duck = new DuckDbPeer()) {
      Path file = folder.resolve("parts.parquet");
      duck.execute(
          "COPY (SELECT i, 'v' || i AS v FROM range(50000) t(i)) TO '"
              + file
              + "' (FORMAT parquet, ROW_GROUP_SIZE 2048)");
      Settings settings = Settings.DEFAULTS.with(EngineSettings.TARGET_PARTITIONS, partitions);
      ParquetFilesSource source =
          ParquetFilesSource.open(file.toString(), new LocalFileIO(), services);
      PhysicalPlan scan = source.scan(new ScanRequest(List.of(0, 1), settings));
      assertThat(scan.properties().partitioning().count()).isEqualTo(partitions);
      compare(duck, file, settings);
    }
  }
}
