package dev.varve.engine.scan;

import dev.varve.engine.testing.ParquetFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SortingColumn;
import org.apache.parquet.format.Util;

/** A file whose footer claims an order; parquet-java writes none, so the footer is rewritten. */
final class ClaimedOrder {
  private ClaimedOrder() {}

  static void write(Path path) {
    ParquetFile.of("message m { required int64 k; }")
        .write(path, List.of(List.of(3L), List.of(1L), List.of(2L)));
    try {
      byte[] file = Files.readAllBytes(path);
      int length =
          ByteBuffer.wrap(file, file.length - 8, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
      int start = file.length - 8 - length;
      FileMetaData footer =
          Util.readFileMetaData(
              new ByteArrayInputStream(Arrays.copyOfRange(file, start, start + length)));
      for (RowGroup group : Objects.requireNonNull(footer.getRow_groups())) {
        group.setSorting_columns(List.of(new SortingColumn(0, false, false)));
      }
      ByteArrayOutputStream changed = new ByteArrayOutputStream();
      Util.writeFileMetaData(footer, changed);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.write(file, 0, start);
      all.writeBytes(changed.toByteArray());
      all.writeBytes(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(changed.size()).array());
      all.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
      Files.write(path, all.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
