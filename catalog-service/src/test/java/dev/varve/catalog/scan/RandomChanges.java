package dev.varve.catalog.scan;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/** A table to which chance does what writers do: rows, deletes, evolution, branches. */
final class RandomChanges {
  static final Schema SCHEMA =
      new Schema(
          NestedField.required(1, "k", Types.IntegerType.get()),
          NestedField.optional(2, "name", Types.StringType.get()),
          NestedField.optional(3, "x", Types.DoubleType.get()),
          NestedField.optional(4, "day", Types.DateType.get()),
          NestedField.optional(5, "price", Types.DecimalType.of(9, 2)));

  private final Table table;
  private final int formatVersion;
  private final RowFiles files;
  private final Random random;

  RandomChanges(Table table, int formatVersion, RowFiles files, Random random) {
    this.table = table;
    this.formatVersion = formatVersion;
    this.files = files;
    this.random = random;
  }

  /** Makes one change and commits it. */
  void change() {
    List<DataFile> live = new ArrayList<>();
    if (table.currentSnapshot() != null) {
      try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
        tasks.forEach(task -> live.add(task.file()));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    int what = live.isEmpty() ? 0 : random.nextInt(11);
    switch (what) {
      case 0, 1, 2, 3 -> {
        var append = table.newAppend();
        for (int i = 0; i <= random.nextInt(6); i++) {
          append.appendFile(files.add(table, rows()));
        }
        append.commit();
      }
      case 4 -> table.newDelete().deleteFile(RowFiles.one(random, live)).commit();
      case 5 -> positionDelete(RowFiles.one(random, live));
      case 6 -> equalityDelete(RowFiles.one(random, live));
      case 7 -> {
        if (table.spec().isUnpartitioned()) {
          table.updateSpec().addField("day").commit();
        } else {
          table.updateSpec().removeField("day").commit();
        }
      }
      case 8 -> {
        if (table.schema().findField("name") != null) {
          table
              .updateSchema()
              .renameColumn("name", "label")
              .updateColumn("k", Types.LongType.get())
              .commit();
        } else if (table.schema().findField("more") == null) {
          table.updateSchema().addColumn("more", Types.LongType.get()).commit();
        }
      }
      case 9 -> {
        if (table.refs().containsKey("side")) {
          table.newAppend().appendFile(files.add(table, rows())).toBranch("side").commit();
        } else {
          table.manageSnapshots().createBranch("side").commit();
        }
      }
      default -> table.rewriteManifests().clusterBy(DataFile::specId).commit();
    }
  }

  private void positionDelete(DataFile file) {
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(file.specId()));
    FileMetadata.Builder delete =
        FileMetadata.deleteFileBuilder(spec)
            .ofPositionDeletes()
            .withFileSizeInBytes(20)
            .withRecordCount(1)
            .withReferencedDataFile(file.location());
    if (spec.isPartitioned()) {
      delete.withPartition(file.partition());
    }
    if (formatVersion > 2) {
      delete
          .withPath(table.location() + "/data/" + UUID.randomUUID() + ".puffin")
          .withFormat(FileFormat.PUFFIN)
          .withContentOffset(4)
          .withContentSizeInBytes(10);
    } else {
      delete
          .withPath(table.location() + "/data/" + UUID.randomUUID() + ".parquet")
          .withFormat(FileFormat.PARQUET);
    }
    RowDelta rows =
        table
            .newRowDelta()
            .validateFromSnapshot(table.currentSnapshot().snapshotId())
            .addDeletes(delete.build());
    if (formatVersion > 2) {
      deletesOf(file).forEach(rows::removeDeletes);
    }
    rows.commit();
  }

  /** A data file may have one deletion vector: a new one takes the place of the old. */
  private List<DeleteFile> deletesOf(DataFile file) {
    List<DeleteFile> deletes = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        for (DeleteFile delete : task.deletes()) {
          if (file.location().equals(delete.referencedDataFile())) {
            deletes.add(delete);
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return deletes;
  }

  private void equalityDelete(DataFile near) {
    PartitionSpec spec = Objects.requireNonNull(table.specs().get(near.specId()));
    FileMetadata.Builder delete =
        FileMetadata.deleteFileBuilder(spec)
            .ofEqualityDeletes(2)
            .withPath(table.location() + "/data/" + UUID.randomUUID() + ".parquet")
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(20)
            .withRecordCount(1);
    if (spec.isPartitioned()) {
      delete.withPartition(near.partition());
    }
    table.newRowDelta().addDeletes(delete.build()).commit();
  }

  private static Record row(Schema schema, Random random, int k) {
    GenericRecord row = GenericRecord.create(schema);
    for (NestedField field : schema.columns()) {
      Object value =
          switch (field.type().typeId()) {
            case INTEGER -> k;
            case LONG -> (long) k;
            case STRING -> "n" + random.nextInt(30);
            case DOUBLE ->
                RowFiles.one(random, List.of(-0.0, 0.0, 1.5, Double.NaN, Double.MAX_VALUE));
            case DATE -> 19_000 + random.nextInt(5);
            case DECIMAL -> new BigDecimal(random.nextInt(200) - 100).movePointLeft(2);
            default -> throw new IllegalStateException(field.toString());
          };
      row.setField(field.name(), field.isOptional() && random.nextInt(5) == 0 ? null : value);
    }
    return row;
  }

  /** Rows that agree in what a spec could divide by: day and name. */
  private List<Record> rows() {
    Schema schema = table.schema();
    int from = random.nextInt(1000);
    Record first = row(schema, random, from);
    List<Record> rows = new ArrayList<>(List.of(first));
    for (int i = 1; i <= random.nextInt(4); i++) {
      Record next = row(schema, random, from + i);
      for (String shared : List.of("day", "name", "label")) {
        if (schema.findField(shared) != null) {
          next.setField(shared, first.getField(shared));
        }
      }
      rows.add(next);
    }
    return rows;
  }

  /** A filter over a table of this shape. */
  static Expression filter(Schema schema, Random random) {
    int k = random.nextInt(1000);
    String text = schema.findField("name") != null ? "name" : "label";
    Expression one =
        switch (random.nextInt(14)) {
          case 0 -> Expressions.alwaysTrue();
          case 1 -> Expressions.equal("k", k);
          case 2 -> Expressions.lessThan("k", k);
          case 3 -> Expressions.greaterThanOrEqual("k", k);
          case 4 -> Expressions.in("k", k, k + 40, k + 90);
          case 5 -> Expressions.startsWith(text, "n" + random.nextInt(3));
          case 6 -> Expressions.greaterThan("x", 1.0);
          case 7 -> Expressions.equal("x", 0.0);
          case 8 -> Expressions.isNull("x");
          case 9 -> Expressions.notEqual("day", 19_001);
          case 10 -> Expressions.equal("day", 19_000 + random.nextInt(6));
          case 11 -> Expressions.greaterThan("price", new BigDecimal("0.50"));
          case 12 -> Expressions.isNaN("x");
          default -> Expressions.equal(text, "n" + random.nextInt(30));
        };
    return switch (random.nextInt(6)) {
      case 0 -> Expressions.and(one, filter(schema, random));
      case 1 -> Expressions.or(one, filter(schema, random));
      case 2 -> Expressions.not(one);
      default -> one;
    };
  }
}
