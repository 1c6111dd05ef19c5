package dev.varve.engine.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericFileWriterFactory;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptedFiles;
import org.apache.iceberg.encryption.EncryptedOutputFile;
import org.apache.iceberg.encryption.EncryptionKeyMetadata;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFileFactory;
import org.jspecify.annotations.Nullable;

/** Files of a table, written and read by Iceberg's own generic writers and readers. */
public final class IcebergFiles {
  private final Table table;
  private final Map<String, String> writerProperties;

  public IcebergFiles(Table table) {
    this(table, Map.of());
  }

  /**
   * @param writerProperties as those of a table: {@code write.parquet.row-group-size-bytes}
   */
  public IcebergFiles(Table table, Map<String, String> writerProperties) {
    this.table = table;
    this.writerProperties = writerProperties;
  }

  /** A place in a data file. */
  public record Place(String path, long position) {}

  /** Rows in the table's schema, all of one partition. */
  public DataFile data(List<? extends List<? extends @Nullable Object>> rows) {
    List<Record> records = records(table.schema(), rows);
    StructLike partition = partition(table.spec(), records.getFirst());
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table)
            .dataSchema(table.schema())
            .dataFileFormat(FileFormat.PARQUET)
            .writerProperties(writerProperties)
            .build();
    DataWriter<Record> writer = writers.newDataWriter(output(), table.spec(), partition);
    try (writer) {
      records.forEach(writer::write);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDataFile();
  }

  /** Equality deletes over some columns, named in the order in which they are in the file. */
  public DeleteFile equality(
      PartitionSpec spec,
      @Nullable StructLike partition,
      List<String> columns,
      List<? extends List<? extends @Nullable Object>> values) {
    Schema schema =
        new Schema(columns.stream().map(column -> table.schema().findField(column)).toList());
    int[] ids = columns.stream().mapToInt(c -> table.schema().findField(c).fieldId()).toArray();
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table)
            .dataSchema(table.schema())
            .deleteFileFormat(FileFormat.PARQUET)
            .equalityFieldIds(ids)
            .equalityDeleteRowSchema(schema)
            .build();
    EqualityDeleteWriter<Record> writer =
        writers.newEqualityDeleteWriter(output(), spec, partition);
    try (writer) {
      records(schema, values).forEach(writer::write);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDeleteFile();
  }

  /** A Parquet file of positions, which must be sorted. */
  public DeleteFile positions(
      PartitionSpec spec, @Nullable StructLike partition, List<Place> places) {
    GenericFileWriterFactory writers =
        new GenericFileWriterFactory.Builder(table)
            .dataSchema(table.schema())
            .deleteFileFormat(FileFormat.PARQUET)
            .build();
    PositionDeleteWriter<Record> writer =
        writers.newPositionDeleteWriter(output(), spec, partition);
    PositionDelete<Record> delete = PositionDelete.create();
    try (writer) {
      for (Place place : places) {
        writer.write(delete.set(place.path(), place.position()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.toDeleteFile();
  }

  /** A deletion vector for each data file that is named, together with what it had before. */
  @SuppressWarnings("NullAway") // Iceberg takes null for a file that had none.
  public DeleteWriteResult vectors(
      List<Place> places, Map<String, DataFile> files, Map<String, PositionDeleteIndex> previous) {
    OutputFileFactory outputs =
        OutputFileFactory.builderFor(table, 1, 1)
            .operationId(UUID.randomUUID().toString())
            .format(FileFormat.PUFFIN)
            .build();
    BaseDVFileWriter writer = new BaseDVFileWriter(outputs, previous::get);
    try (writer) {
      for (Place place : places) {
        DataFile file = Objects.requireNonNull(files.get(place.path()));
        writer.delete(
            place.path(), place.position(), table.specs().get(file.specId()), file.partition());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return writer.result();
  }

  private EncryptedOutputFile output() {
    String location = table.locationProvider().newDataLocation(UUID.randomUUID() + ".parquet");
    return EncryptedFiles.encryptedOutput(
        table.io().newOutputFile(location), EncryptionKeyMetadata.EMPTY);
  }

  private StructLike partition(PartitionSpec spec, Record row) {
    PartitionKey key = new PartitionKey(spec, table.schema());
    key.partition(new InternalRecordWrapper(table.schema().asStruct()).wrap(row));
    return key;
  }

  private static List<Record> records(
      Schema schema, List<? extends List<? extends @Nullable Object>> rows) {
    List<Record> records = new ArrayList<>();
    for (List<? extends @Nullable Object> row : rows) {
      Record record = GenericRecord.create(schema);
      for (int i = 0; i < row.size(); i++) {
        record.set(i, row.get(i));
      }
      records.add(record);
    }
    return records;
  }

  /** The rows of a snapshot as Iceberg's generic reader gives them, as texts, sorted. */
  public static List<String> rows(Table table, long snapshotId, List<String> columns) {
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> read =
        IcebergGenerics.read(table)
            .useSnapshot(snapshotId)
            .project(table.schema().select(columns))
            .build()) {
      for (Record record : read) {
        List<@Nullable Object> row = new ArrayList<>();
        columns.forEach(column -> row.add(record.getField(column)));
        rows.add(text(row));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    rows.sort(null);
    return rows;
  }

  /** A row as a text that is the same for Iceberg's values and the engine's. */
  public static String text(List<? extends @Nullable Object> row) {
    return row.stream().map(IcebergFiles::text).toList().toString();
  }

  private static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "NULL";
      case byte[] bytes -> HexFormat.of().formatHex(bytes);
      case ByteBuffer buffer -> {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        yield HexFormat.of().formatHex(bytes);
      }
      case OffsetDateTime time -> time.toInstant().toString();
      // Iceberg gives bytes where the file does not say that they are a uuid.
      case UUID uuid -> uuid.toString().replace("-", "");
      case BigDecimal number -> number.toPlainString();
      default -> value.toString();
    };
  }
}
