package dev.varve.catalog.index;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;
import org.jspecify.annotations.Nullable;

/**
 * What a scan task says of a data file and its facts do not.
 *
 * <pre>
 * version         01
 * partition       count, then per field 0 for null, or 1 + length and Iceberg's single-value form
 * split offsets   0 for none, or 1 + count, then the differences from one to the next
 * first row id    0 for none, or 1 + id
 * key metadata    0 for none, or 1 + length and the bytes
 * </pre>
 *
 * All numbers are varints.
 */
final class TaskBlob {
  private static final int VERSION = 1;

  private TaskBlob() {}

  /** The blob of a file; null when a value has no single-value form. */
  static byte @Nullable [] of(DataFile file, PartitionSpec spec) {
    BlobWriter blob = new BlobWriter();
    blob.varint(VERSION);
    List<NestedField> fields = spec.partitionType().fields();
    blob.varint(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      Type type = fields.get(i).type();
      if (!type.isPrimitiveType()) {
        return null;
      }
      Object value = file.partition().get(i, type.typeId().javaClass());
      bytes(blob, value == null ? null : Conversions.toByteBuffer(type, value));
    }
    splits(blob, file.splitOffsets());
    Long firstRowId = file.firstRowId();
    blob.varint(firstRowId == null ? 0 : 1 + firstRowId);
    bytes(blob, file.keyMetadata());
    return blob.toByteArray();
  }

  private static void splits(BlobWriter blob, @Nullable List<Long> offsets) {
    blob.varint(offsets == null ? 0 : 1 + offsets.size());
    if (offsets != null) {
      long last = 0;
      for (long offset : offsets) {
        blob.varint(offset - last);
        last = offset;
      }
    }
  }

  private static void bytes(BlobWriter blob, @Nullable ByteBuffer value) {
    blob.varint(value == null ? 0 : 1 + value.remaining());
    if (value != null) {
      byte[] bytes = new byte[value.remaining()];
      value.duplicate().get(bytes);
      blob.bytes(bytes);
    }
  }

  /** Makes files of one partition spec from their blobs. Confined to one thread. */
  static final class Files {
    private final List<NestedField> fields;
    private final PartitionData partition;
    private final DataFiles.Builder builder;

    Files(PartitionSpec spec) {
      this.fields = spec.partitionType().fields();
      this.partition = new PartitionData(spec.partitionType());
      this.builder = DataFiles.builder(spec);
    }

    /**
     * What the blob says, in a builder that the next call uses again; none when the blob is of
     * another version or shape.
     */
    Optional<DataFiles.Builder> read(byte[] blob) {
      BlobReader reader = new BlobReader(blob);
      if (reader.varint() != VERSION || reader.varint() != fields.size()) {
        return Optional.empty();
      }
      builder.clear();
      for (int i = 0; i < fields.size(); i++) {
        byte[] value = bytes(reader);
        partition.set(
            i,
            value == null
                ? null
                : Conversions.fromByteBuffer(fields.get(i).type(), ByteBuffer.wrap(value)));
      }
      builder.withPartition(partition);
      builder.withSplitOffsets(splits(reader));
      long rowId = reader.varint();
      builder.withFirstRowId(rowId == 0 ? null : rowId - 1);
      byte[] keyMetadata = bytes(reader);
      builder.withEncryptionKeyMetadata(
          keyMetadata == null ? (ByteBuffer) null : ByteBuffer.wrap(keyMetadata));
      reader.end();
      return Optional.of(builder);
    }

    private static @Nullable List<Long> splits(BlobReader reader) {
      int count = reader.count();
      if (count == 0) {
        return null;
      }
      List<Long> offsets = new ArrayList<>(count - 1);
      long last = 0;
      for (int i = 1; i < count; i++) {
        last += reader.varint();
        offsets.add(last);
      }
      return offsets;
    }

    private static byte @Nullable [] bytes(BlobReader reader) {
      long length = reader.varint();
      return length == 0 ? null : reader.bytes(Math.toIntExact(length - 1));
    }
  }
}
