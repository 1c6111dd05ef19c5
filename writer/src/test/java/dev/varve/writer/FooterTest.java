package dev.varve.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.ordering.ColumnOrder;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.port.SinkFactory.CopyTarget;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.io.LocalFileIO;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.BoundaryOrder;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What parquet-java and DuckDB find in our footers. */
class FooterTest {
  private static final Schema SCHEMA =
      Schema.of(
          new Field("k", DataType.BIGINT, false, 7),
          new Field("s", DataType.VARCHAR, true, 8),
          new Field("d", DataType.DOUBLE, true, 9),
          new Field("few", DataType.INTEGER, true, 10));

  @TempDir Path folder;

  @Test
  void parquetJavaReadsTheRows() throws Exception {
    Path file = write(Map.of("row_group_rows", "3000", "page_rows", "700"), 10_000, true);
    int row = 0;
    try (ParquetFileReader reader = open(file)) {
      MessageType schema = reader.getFileMetaData().getSchema();
      MessageColumnIO columns = new ColumnIOFactory().getColumnIO(schema);
      for (PageReadStore pages = reader.readNextRowGroup();
          pages != null;
          pages = reader.readNextRowGroup()) {
        RecordReader<Group> records =
            columns.getRecordReader(pages, new GroupRecordConverter(schema));
        for (long i = 0; i < pages.getRowCount(); i++, row++) {
          Group group = records.read();
          assertThat(group.getLong("k", 0)).isEqualTo(row / 2);
          if (row % 5 == 0) {
            assertThat(group.getFieldRepetitionCount("s")).isZero();
          } else {
            assertThat(group.getString("s", 0)).isEqualTo(text(row));
          }
          assertThat(group.getDouble("d", 0)).isEqualTo(number(row));
          assertThat(group.getInteger("few", 0)).isEqualTo(row % 3);
        }
      }
    }
    assertThat(row).isEqualTo(10_000);
  }

  @Test
  void rowGroupsHaveExactlyTheirRowsAndBatchesAreSplit() throws Exception {
    Path file = write(Map.of("row_group_rows", "3000"), 10_000, true);
    try (ParquetFileReader reader = open(file)) {
      assertThat(reader.getFooter().getBlocks().stream().map(BlockMetaData::getRowCount).toList())
          .containsExactly(3000L, 3000L, 3000L, 1000L);
    }
  }

  @Test
  void theSchemaCarriesFieldIdsAndLogicalTypes() throws Exception {
    try (ParquetFileReader reader = open(write(Map.of(), 10, true))) {
      MessageType schema = reader.getFileMetaData().getSchema();
      assertThat(schema.getType("k").getId().intValue()).isEqualTo(7);
      assertThat(schema.getType("s").getLogicalTypeAnnotation())
          .isEqualTo(LogicalTypeAnnotation.stringType());
    }
  }

  @Test
  void statisticsAreExactAndTruncatedOnesStillBound() throws Exception {
    Path file = write(Map.of("row_group_rows", "5000", "truncate", "8"), 10_000, true);
    try (ParquetFileReader reader = open(file)) {
      BlockMetaData second = reader.getFooter().getBlocks().get(1);
      var keys = second.getColumns().get(0).getStatistics();
      assertThat((Object) keys.genericGetMin()).isEqualTo(2500L);
      assertThat((Object) keys.genericGetMax()).isEqualTo(4999L);
      var texts = second.getColumns().get(1).getStatistics();
      assertThat(texts.getNumNulls()).isEqualTo(1000);
      assertThat(texts.getMinBytes()).hasSizeLessThanOrEqualTo(8);
      assertThat(texts.getMaxBytes()).hasSizeLessThanOrEqualTo(8);
      for (int row = 5000; row < 10_000; row++) {
        byte[] value = text(row).getBytes(StandardCharsets.UTF_8);
        assertThat(Arrays.compareUnsigned(texts.getMinBytes(), value)).isLessThanOrEqualTo(0);
        assertThat(Arrays.compareUnsigned(texts.getMaxBytes(), value)).isGreaterThanOrEqualTo(0);
      }
      assertThat(second.getColumns().get(2).getStatistics().hasNonNullValue()).isTrue();
    }
  }

  @Test
  void pagesHaveTheirRowsAndIndexes() throws Exception {
    Path file = write(Map.of("row_group_rows", "5000", "page_rows", "1000"), 10_000, true);
    try (ParquetFileReader reader = open(file)) {
      for (BlockMetaData block : reader.getFooter().getBlocks()) {
        for (ColumnChunkMetaData chunk : block.getColumns()) {
          OffsetIndex offsets = reader.readOffsetIndex(chunk);
          assertThat(offsets.getPageCount()).isEqualTo(5);
          assertThat(offsets.getFirstRowIndex(3)).isEqualTo(3000);
          ColumnIndex index = reader.readColumnIndex(chunk);
          assertThat(index.getNullPages()).hasSize(5).doesNotContain(true);
        }
      }
      ColumnIndex keys =
          reader.readColumnIndex(reader.getFooter().getBlocks().get(1).getColumns().get(0));
      assertThat(keys.getBoundaryOrder()).isEqualTo(BoundaryOrder.ASCENDING);
      assertThat(longs(keys.getMinValues())).containsExactly(2500L, 3000L, 3500L, 4000L, 4500L);
      assertThat(longs(keys.getMaxValues())).containsExactly(2999L, 3499L, 3999L, 4499L, 4999L);
      assertThat(keys.getNullCounts()).containsOnly(0L);
    }
  }

  private static List<Long> longs(List<ByteBuffer> values) {
    return values.stream()
        .map(v -> v.duplicate().order(java.nio.ByteOrder.LITTLE_ENDIAN).getLong())
        .toList();
  }

  @Test
  void aPageOfOnlyNansHasNoColumnIndex() throws Exception {
    Schema schema = Schema.of(new Field("d", DataType.DOUBLE, true, 1));
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      rows.add(List.of(i < 1000 ? Double.NaN : (Object) (double) i));
    }
    Path file = folder.resolve("nan.parquet");
    copy(
        file,
        Map.of("page_rows", "1000"),
        schema,
        List.of(),
        List.of(
            Samples.batch(
                schema,
                new ArrayList<>(
                    rows.stream().map(r -> (List<Object>) new ArrayList<Object>(r)).toList()))));
    try (ParquetFileReader reader = open(file)) {
      ColumnChunkMetaData chunk = reader.getFooter().getBlocks().get(0).getColumns().get(0);
      assertThat(reader.readColumnIndex(chunk)).isNull();
      assertThat(reader.readOffsetIndex(chunk).getPageCount()).isEqualTo(3);
    }
    assertThat(DuckDb.raw("SELECT count(*) FROM '" + file + "' WHERE isnan(d)"))
        .isEqualTo(List.of(List.of("1000")));
  }

  @Test
  void integersAreDeltaEncodedAndFewValuesAreADictionary() throws Exception {
    try (ParquetFileReader reader = open(write(Map.of(), 100_000, true))) {
      List<ColumnChunkMetaData> chunks = reader.getFooter().getBlocks().get(0).getColumns();
      assertThat(chunks.get(0).getEncodings()).contains(Encoding.DELTA_BINARY_PACKED);
      assertThat(chunks.get(0).hasDictionaryPage()).isFalse();
      assertThat(chunks.get(3).getEncodings()).contains(Encoding.RLE_DICTIONARY);
      assertThat(chunks.get(3).hasDictionaryPage()).isTrue();
      assertThat(chunks.get(0).getTotalSize()).isLessThan(20_000);
    }
  }

  @Test
  void aDictionaryThatOutgrowsItsLimitIsGivenUpForTheRestOfTheChunk() throws Exception {
    Schema schema = Schema.of(new Field("s", DataType.VARCHAR, true, 1));
    List<List<@org.jspecify.annotations.Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 40_000; i++) {
      rows.add(new ArrayList<>(List.of("value " + (i < 20_000 ? i % 50 : i))));
    }
    Path file = folder.resolve("fallback.parquet");
    copy(
        file,
        Map.of("page_rows", "5000", "dictionary_bytes", "20kb"),
        schema,
        List.of(),
        List.of(Samples.batch(schema, rows)));
    try (ParquetFileReader reader = open(file)) {
      ColumnChunkMetaData chunk = reader.getFooter().getBlocks().get(0).getColumns().get(0);
      assertThat(chunk.getEncodings())
          .contains(Encoding.RLE_DICTIONARY, Encoding.DELTA_LENGTH_BYTE_ARRAY);
      assertThat(chunk.getEncodingStats().hasNonDictionaryEncodedPages()).isTrue();
    }
    assertThat(DuckDb.rows("SELECT * FROM '" + file + "'", schema)).isEqualTo(DuckDb.normal(rows));
  }

  @Test
  void bloomFiltersAreThereAndFindWhatIsThere() throws Exception {
    Path file = write(Map.of("bloom_columns", "k, s, few", "bloom_fpp", "0.01"), 20_000, true);
    try (ParquetFileReader reader = open(file)) {
      List<ColumnChunkMetaData> chunks = reader.getFooter().getBlocks().get(0).getColumns();
      BloomFilter keys = reader.readBloomFilter(chunks.get(0));
      BloomFilter texts = reader.readBloomFilter(chunks.get(1));
      int wrong = 0;
      for (int i = 0; i < 10_000; i++) {
        assertThat(keys.findHash(keys.hash((long) i))).isTrue();
        wrong += keys.findHash(keys.hash(1_000_000L + i)) ? 1 : 0;
      }
      assertThat(wrong).isLessThan(300);
      assertThat(texts.findHash(texts.hash(Binary.fromString(text(1))))).isTrue();
      assertThat(reader.readBloomFilter(chunks.get(2))).isNull();
      assertThat(reader.readBloomFilter(chunks.get(3)).getBitsetSize()).isLessThan(100);
    }
    assertThat(
            DuckDb.raw(
                "SELECT bloom_filter_excludes FROM parquet_bloom_probe('"
                    + file
                    + "', 'k', 5000000)"))
        .isEqualTo(List.of(List.of("true")));
    assertThat(
            DuckDb.raw(
                "SELECT bloom_filter_excludes FROM parquet_bloom_probe('" + file + "', 'k', 77)"))
        .isEqualTo(List.of(List.of("false")));
    assertThat(DuckDb.raw("SELECT count(*) FROM '" + file + "' WHERE k = 77"))
        .isEqualTo(List.of(List.of("2")));
  }

  @Test
  void aCheckedOrderBecomesSortingColumns() throws Exception {
    ColumnOrder order = new ColumnOrder(0, SortOptions.ASC);
    Path file = write(Map.of("row_group_rows", "4000"), 10_000, true, order);
    for (List<SortingColumn> sorting : sortingColumns(file)) {
      assertThat(sorting).containsExactly(new SortingColumn(0, false, false));
    }
    assertThat(sortingColumns(file)).hasSize(3);
  }

  @Test
  void anOrderThatTheRowsDoNotHaveIsNotWritten() throws Exception {
    ColumnOrder order = new ColumnOrder(0, SortOptions.DESC);
    Path file = write(Map.of("row_group_rows", "4000"), 10_000, true, order);
    for (List<SortingColumn> sorting : sortingColumns(file)) {
      assertThat(sorting).isNull();
    }
    assertThat(DuckDb.raw("SELECT count(*) FROM '" + file + "'"))
        .isEqualTo(List.of(List.of("10000")));
  }

  @Test
  void rowGroupBytesAreHonouredWithinOneBatch() throws Exception {
    Schema schema =
        Schema.of(
            new Field("r", DataType.BIGINT, false, 1), new Field("s", DataType.VARCHAR, true, 2));
    List<Batch> batches = new ArrayList<>();
    Random random = new Random(11);
    for (int b = 0; b < 100; b++) {
      List<List<@org.jspecify.annotations.Nullable Object>> rows = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        rows.add(new ArrayList<>(List.of(random.nextLong(), "text " + random.nextInt(100_000))));
      }
      batches.add(Samples.batch(schema, rows));
    }
    Path file = folder.resolve("bytes.parquet");
    long limit = 300_000;
    copy(file, Map.of("row_group_bytes", Long.toString(limit)), schema, List.of(), batches);
    try (ParquetFileReader reader = open(file)) {
      List<BlockMetaData> blocks = reader.getFooter().getBlocks();
      assertThat(blocks).hasSizeGreaterThan(5);
      for (BlockMetaData block : blocks) {
        long perBatch = block.getCompressedSize() / (block.getRowCount() / 2000);
        assertThat(block.getCompressedSize()).isLessThan(limit + 2 * perBatch);
      }
      for (BlockMetaData block : blocks.subList(0, blocks.size() - 1)) {
        assertThat(block.getCompressedSize()).isGreaterThan(limit / 2);
      }
    }
  }

  @Test
  void everyCodecIsReadBack() throws Exception {
    for (String codec : Set.of("zstd", "snappy", "gzip", "lz4_raw", "none")) {
      Path file = write(Map.of("compression", codec), 30_000, false);
      assertThat(
              DuckDb.raw("SELECT count(*), sum(k), count(s), sum(length(s)) FROM '" + file + "'"))
          .as(codec)
          .isEqualTo(
              DuckDb.raw(
                  "SELECT count(*), sum(i // 2), count(*) FILTER (i % 5 <> 0), sum(length('some text ' || (i * 7919) % 10007)) FILTER (i % 5 <> 0) FROM range(30000) r(i)"));
      try (ParquetFileReader reader = open(file)) {
        for (PageReadStore pages = reader.readNextRowGroup();
            pages != null;
            pages = reader.readNextRowGroup()) {
          assertThat(pages.getRowCount()).isPositive();
        }
      }
    }
  }

  @Test
  void aFileWithoutRowsHasItsSchema() throws Exception {
    Path file = write(Map.of(), 0, true);
    assertThat(DuckDb.raw("SELECT count(*), count(k) FROM '" + file + "'"))
        .isEqualTo(List.of(List.of("0", "0")));
    try (ParquetFileReader reader = open(file)) {
      assertThat(reader.getFileMetaData().getSchema().getFieldCount()).isEqualTo(4);
    }
  }

  private Path write(Map<String, String> options, int rows, boolean fresh, ColumnOrder... ordering)
      throws Exception {
    Path file = folder.resolve(fresh ? "file.parquet" : options.hashCode() + ".parquet");
    List<Batch> batches = new ArrayList<>();
    for (int from = 0; from < rows; from += 1700) {
      List<List<@org.jspecify.annotations.Nullable Object>> part = new ArrayList<>();
      for (int i = from; i < Math.min(rows, from + 1700); i++) {
        part.add(
            new ArrayList<>(
                Arrays.asList((long) i / 2, i % 5 == 0 ? null : text(i), number(i), i % 3)));
      }
      batches.add(Samples.batch(SCHEMA, part));
    }
    copy(file, options, SCHEMA, List.of(ordering), batches);
    return file;
  }

  private static String text(int row) {
    return "some text " + (row * 7919L) % 10_007;
  }

  private static double number(int row) {
    return row * 0.25 - 100;
  }

  static void copy(
      Path file,
      Map<String, String> options,
      Schema schema,
      List<ColumnOrder> ordering,
      List<Batch> batches)
      throws Exception {
    try (FakeWork work = FakeWork.of(2);
        TableSink sink =
            new WriterSinkFactory(LayoutIndex.none())
                .copy(new CopyTarget(file.toString(), new LocalFileIO(), options, schema, ordering))
                .open(work)) {
      batches.forEach(sink::write);
      sink.finish();
    }
  }

  private static ParquetFileReader open(Path file) throws IOException {
    return ParquetFileReader.open(new LocalInputFile(file));
  }

  private static List<List<SortingColumn>> sortingColumns(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int length =
        ByteBuffer.wrap(bytes, bytes.length - 8, 4)
            .order(java.nio.ByteOrder.LITTLE_ENDIAN)
            .getInt();
    var footer =
        Util.readFileMetaData(
            new java.io.ByteArrayInputStream(bytes, bytes.length - 8 - length, length));
    List<List<SortingColumn>> sorting = new ArrayList<>();
    java.util.Objects.requireNonNull(footer.getRow_groups())
        .forEach(group -> sorting.add(group.getSorting_columns()));
    return sorting;
  }
}
