package dev.varve.engine.parquet;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/** Reads footers: one read of the file's end, a second one only if the footer is large. */
public final class FooterReader {
  private static final int TAIL_BYTES = 64 * 1024;
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);
  private static final int TRAILER_BYTES = 8;

  private FooterReader() {}

  /** The footer from the cache, or read and kept there: only for files that never change. */
  public static ParquetFooter read(ParquetInput input, FooterCache cache) {
    return read(input, cache, input.path(), () -> read(input));
  }

  /** The footer from the cache, where {@code version} stands for it, or else from elsewhere. */
  public static ParquetFooter read(
      ParquetInput input, FooterCache cache, String version, Supplier<ParquetFooter> load) {
    FooterCache.Key key =
        new FooterCache.Key(version, input.size(), input.size(), ParquetFooter.class);
    return cache.get(key, ParquetFooter.class, load, FooterReader::weight);
  }

  /** About 1 KB of objects a chunk. */
  private static long weight(ParquetFooter footer) {
    return 2048L + 1024L * footer.rowGroups().size() * (1 + footer.columns().size());
  }

  /**
   * @throws VarveException FILE_CORRUPT if this is no whole Parquet file, FEATURE_NOT_SUPPORTED if
   *     it is encrypted
   */
  public static ParquetFooter read(ParquetInput input) {
    String path = input.path();
    long size = input.size();
    if (size < MAGIC.length + TRAILER_BYTES) {
      throw corrupt(path, "a file of " + size + " bytes is no Parquet file");
    }
    int tailBytes = (int) Math.min(size, TAIL_BYTES);
    byte[] tail = new byte[tailBytes];
    input.readFully(size - tailBytes, tail, 0, tailBytes);
    byte[] magic = Arrays.copyOfRange(tail, tailBytes - MAGIC.length, tailBytes);
    if (Arrays.equals(magic, ENCRYPTED_MAGIC)) {
      throw encrypted(path);
    }
    if (!Arrays.equals(magic, MAGIC)) {
      throw corrupt(path, "it does not end with PAR1: it is no Parquet file, or it is truncated");
    }
    long footerBytes = Integer.toUnsignedLong(intAt(tail, tailBytes - TRAILER_BYTES));
    if (footerBytes > size - MAGIC.length - TRAILER_BYTES || footerBytes > Integer.MAX_VALUE - 16) {
      throw corrupt(
          path, "its footer should have " + footerBytes + " bytes, but the file has " + size);
    }
    byte[] footer = new byte[(int) footerBytes];
    int inTail = tailBytes - TRAILER_BYTES - (int) footerBytes;
    if (inTail >= 0) {
      System.arraycopy(tail, inTail, footer, 0, footer.length);
    } else {
      int head = -inTail;
      input.readFully(size - TRAILER_BYTES - footerBytes, footer, 0, head);
      System.arraycopy(tail, 0, footer, head, footer.length - head);
    }
    return parse(path, size, footer);
  }

  private static ParquetFooter parse(String path, long size, byte[] bytes) {
    try {
      CompactReader.checkStruct(bytes, 0, bytes.length);
      FileMetaData thrift = Util.readFileMetaData(new ByteArrayInputStream(bytes));
      if (thrift.isSetEncryption_algorithm()) {
        throw encrypted(path);
      }
      ParquetMetadata metadata = new ParquetMetadataConverter().fromParquetMetadata(thrift);
      List<FileColumn> columns = columns(metadata.getFileMetaData().getSchema());
      int leaves = metadata.getFileMetaData().getSchema().getPaths().size();
      for (BlockMetaData group : metadata.getBlocks()) {
        if (group.getColumns().size() != leaves || group.getRowCount() < 0) {
          throw corrupt(
              path,
              "a row group has "
                  + group.getRowCount()
                  + " rows and "
                  + group.getColumns().size()
                  + " column chunks, but the schema has "
                  + leaves
                  + " columns");
        }
      }
      return new ParquetFooter(
          path,
          size,
          columns,
          metadata.getBlocks(),
          sortingColumns(thrift),
          DistinctCounts.of(thrift),
          Objects.requireNonNullElse(thrift.getCreated_by(), ""));
    } catch (VarveException e) {
      throw e;
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw new VarveException(
          ErrorCode.FILE_CORRUPT, path + ": its footer cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<FileColumn> columns(MessageType schema) {
    List<FileColumn> columns = new ArrayList<>(schema.getFieldCount());
    int leaf = 0;
    for (Type field : schema.getFields()) {
      boolean flat = field.isPrimitive() && !field.isRepetition(Type.Repetition.REPEATED);
      columns.add(
          new FileColumn(
              field.getName(),
              field.getId() == null ? -1 : field.getId().intValue(),
              flat ? field.asPrimitiveType() : null,
              !field.isRepetition(Type.Repetition.REQUIRED),
              leaf));
      leaf += leaves(field);
    }
    return columns;
  }

  private static int leaves(Type type) {
    if (type.isPrimitive()) {
      return 1;
    }
    int leaves = 0;
    for (Type field : type.asGroupType().getFields()) {
      leaves += leaves(field);
    }
    return leaves;
  }

  private static List<List<ParquetFooter.SortingColumn>> sortingColumns(FileMetaData thrift) {
    List<List<ParquetFooter.SortingColumn>> all = new ArrayList<>();
    for (RowGroup group : orEmpty(thrift.getRow_groups())) {
      List<ParquetFooter.SortingColumn> keys = new ArrayList<>();
      for (SortingColumn key : orEmpty(group.getSorting_columns())) {
        keys.add(
            new ParquetFooter.SortingColumn(
                key.getColumn_idx(), key.isDescending(), key.isNulls_first()));
      }
      all.add(List.copyOf(keys));
    }
    return all;
  }

  private static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  private static int intAt(byte[] buffer, int at) {
    return (buffer[at] & 0xff)
        | (buffer[at + 1] & 0xff) << 8
        | (buffer[at + 2] & 0xff) << 16
        | (buffer[at + 3] & 0xff) << 24;
  }

  private static VarveException corrupt(String path, String what) {
    return new VarveException(ErrorCode.FILE_CORRUPT, path + ": " + what);
  }

  private static VarveException encrypted(String path) {
    return new VarveException(
        ErrorCode.FEATURE_NOT_SUPPORTED, path + ": the file is encrypted; this is not supported");
  }
}
