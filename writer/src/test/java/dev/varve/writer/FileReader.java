package dev.varve.writer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;

/** Reads files of two BIGINT columns with parquet-java. */
final class FileReader {
  private FileReader() {}

  static List<long[]> read(Table table, String location) {
    try {
      Path copy = Files.createTempFile("varve", ".parquet");
      try {
        try (InputStream in = table.io().newInputFile(location).newStream()) {
          Files.write(copy, in.readAllBytes());
        }
        return read(copy);
      } finally {
        Files.delete(copy);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<long[]> read(Path file) throws IOException {
    List<long[]> rows = new ArrayList<>();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
      MessageType schema = reader.getFileMetaData().getSchema();
      for (PageReadStore pages = reader.readNextRowGroup();
          pages != null;
          pages = reader.readNextRowGroup()) {
        RecordReader<Group> records =
            new ColumnIOFactory()
                .getColumnIO(schema)
                .getRecordReader(pages, new GroupRecordConverter(schema));
        for (long i = 0; i < pages.getRowCount(); i++) {
          Group group = records.read();
          rows.add(new long[] {group.getLong("k", 0), group.getLong("v", 0)});
        }
      }
    }
    return rows;
  }
}
