package dev.varve.engine.parquet;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageEncodingStats;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Statistics;
import org.jspecify.annotations.Nullable;

/**
 * About how many distinct values column chunks have, by what a footer tells: the count itself, if
 * the writer says it, or else the size of the dictionary, where all pages are made of it.
 */
final class DistinctCounts {
  /** Of a dictionary page's header, about. */
  private static final int HEADER_BYTES = 20;

  private DistinctCounts() {}

  /** By row group and leaf. */
  static List<List<OptionalLong>> of(FileMetaData footer) {
    List<List<OptionalLong>> all = new ArrayList<>();
    List<RowGroup> groups = footer.getRow_groups();
    for (RowGroup group : groups == null ? List.<RowGroup>of() : groups) {
      List<OptionalLong> counts = new ArrayList<>();
      List<ColumnChunk> chunks = group.getColumns();
      for (ColumnChunk chunk : chunks == null ? List.<ColumnChunk>of() : chunks) {
        ColumnMetaData described = chunk.getMeta_data();
        counts.add(described == null ? OptionalLong.empty() : of(described));
      }
      all.add(List.copyOf(counts));
    }
    return all;
  }

  private static OptionalLong of(ColumnMetaData chunk) {
    Statistics statistics = chunk.getStatistics();
    long limit = Math.max(0, chunk.getNum_values());
    if (statistics != null && statistics.isSetDistinct_count()) {
      long distinct = statistics.getDistinct_count();
      // None at all among values is what some writers say when they did not count.
      return distinct > 0 || limit == 0
          ? OptionalLong.of(Math.min(distinct, limit))
          : OptionalLong.empty();
    }
    int width = width(chunk);
    if (width == 0 || !allPagesUseDictionary(chunk)) {
      return OptionalLong.empty();
    }
    long stored = chunk.getData_page_offset() - chunk.getDictionary_page_offset() - HEADER_BYTES;
    double ratio =
        chunk.getTotal_compressed_size() > 0
            ? Math.max(
                1.0, (double) chunk.getTotal_uncompressed_size() / chunk.getTotal_compressed_size())
            : 1;
    return stored <= 0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.clamp((long) (stored * ratio / width), 1, Math.max(1, limit)));
  }

  /** Bytes of an entry; 0 where entries have no fixed size that is known here. */
  private static int width(ColumnMetaData chunk) {
    return switch (chunk.getType()) {
      case null -> 0;
      case INT32, FLOAT -> 4;
      case INT64, DOUBLE -> 8;
      case INT96 -> 12;
      case BOOLEAN, FIXED_LEN_BYTE_ARRAY -> 0;
      case BYTE_ARRAY -> averageBytes(chunk.getStatistics());
    };
  }

  /** A string's length and bytes, by the longest and the shortest that are known. */
  private static int averageBytes(@Nullable Statistics statistics) {
    byte[] min = statistics == null ? null : statistics.getMin_value();
    byte[] max = statistics == null ? null : statistics.getMax_value();
    return min == null || max == null ? 0 : 4 + (min.length + max.length + 1) / 2;
  }

  private static boolean allPagesUseDictionary(ColumnMetaData chunk) {
    List<PageEncodingStats> stats = chunk.getEncoding_stats();
    if (!chunk.isSetDictionary_page_offset() || stats == null) {
      return false;
    }
    boolean any = false;
    for (PageEncodingStats pages : stats) {
      boolean data =
          pages.getPage_type() == PageType.DATA_PAGE
              || pages.getPage_type() == PageType.DATA_PAGE_V2;
      boolean coded =
          pages.getEncoding() == Encoding.RLE_DICTIONARY
              || pages.getEncoding() == Encoding.PLAIN_DICTIONARY;
      if (data && pages.getCount() > 0) {
        if (!coded) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }
}
