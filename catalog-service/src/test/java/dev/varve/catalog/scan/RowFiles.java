package dev.varve.catalog.scan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Metrics;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.UnboundPredicate;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.types.Comparators;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

/** Data files that are described in manifests, with the rows that would be in them. */
final class RowFiles {
  private final Map<String, List<Record>> rows = new HashMap<>();
  private int files;

  /** Describes a file with these rows, which belong to one partition. */
  DataFile add(Table table, List<Record> content) {
    PartitionSpec spec = table.spec();
    String path = table.location() + "/data/f" + files++ + ".parquet";
    rows.put(path, content);
    DataFiles.Builder file =
        DataFiles.builder(spec)
            .withPath(path)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(1000 + files)
            .withSplitOffsets(List.of(4L, 500L))
            .withSortOrderId(table.sortOrder().orderId())
            .withMetrics(metrics(table.schema(), content));
    if (spec.isPartitioned()) {
      file.withPartition(partition(spec, table.schema(), content.getFirst()));
    }
    return file.build();
  }

  private static PartitionData partition(PartitionSpec spec, Schema schema, Record row) {
    PartitionData partition = new PartitionData(spec.partitionType());
    for (int i = 0; i < spec.fields().size(); i++) {
      NestedField source = schema.findField(spec.fields().get(i).sourceId());
      partition.set(i, apply(spec.fields().get(i).transform(), source, row));
    }
    return partition;
  }

  @SuppressWarnings("unchecked")
  private static Object apply(Transform<?, ?> transform, NestedField source, Record row) {
    return ((Transform<Object, Object>) transform)
        .bind(source.type())
        .apply(row.getField(source.name()));
  }

  private static Metrics metrics(Schema schema, List<Record> content) {
    Map<Integer, Long> values = new HashMap<>();
    Map<Integer, Long> nulls = new HashMap<>();
    Map<Integer, Long> nans = new HashMap<>();
    Map<Integer, ByteBuffer> lower = new HashMap<>();
    Map<Integer, ByteBuffer> upper = new HashMap<>();
    for (NestedField field : schema.columns()) {
      List<Object> numbers = new ArrayList<>();
      long nullCount = 0;
      long nanCount = 0;
      for (Record row : content) {
        Object value = row.getField(field.name());
        if (value == null) {
          nullCount++;
        } else if (value instanceof Double number && number.isNaN()) {
          nanCount++;
        } else {
          numbers.add(value);
        }
      }
      values.put(field.fieldId(), (long) content.size());
      nulls.put(field.fieldId(), nullCount);
      if (field.type().typeId() == Type.TypeID.DOUBLE) {
        nans.put(field.fieldId(), nanCount);
      }
      Comparator<Object> order = Comparators.forType(field.type().asPrimitiveType());
      numbers.stream()
          .min(order)
          .ifPresent(
              least -> lower.put(field.fieldId(), Conversions.toByteBuffer(field.type(), least)));
      numbers.stream()
          .max(order)
          .ifPresent(
              most -> upper.put(field.fieldId(), Conversions.toByteBuffer(field.type(), most)));
    }
    return new Metrics((long) content.size(), null, values, nulls, nans, lower, upper);
  }

  /** Whether a file has a row that the filter keeps, before deletes, as SQL compares nulls. */
  boolean hasRow(String path, Schema schema, Expression filter) {
    Expression strict = ExpressionVisitors.visit(Expressions.rewriteNot(filter), new NoNulls());
    Evaluator evaluator = new Evaluator(schema.asStruct(), strict);
    for (Record row : Objects.requireNonNull(rows.get(path))) {
      if (evaluator.eval(in(schema, row))) {
        return true;
      }
    }
    return false;
  }

  /** A row under a schema: columns by field id, those that came later are null. */
  private static StructLike in(Schema schema, Record row) {
    GenericRecord result = GenericRecord.create(schema);
    for (NestedField field : row.struct().fields()) {
      NestedField now = schema.findField(field.fieldId());
      if (now != null) {
        result.setField(now.name(), widened(now.type(), row.getField(field.name())));
      }
    }
    return result;
  }

  private static Object widened(Type type, Object value) {
    return value instanceof Integer narrow && type.typeId() == Type.TypeID.LONG
        ? (Object) narrow.longValue()
        : value;
  }

  /** Iceberg's evaluator has null below all values; a comparison with null keeps no row. */
  private static final class NoNulls extends ExpressionVisitors.ExpressionVisitor<Expression> {
    @Override
    public Expression alwaysTrue() {
      return Expressions.alwaysTrue();
    }

    @Override
    public Expression alwaysFalse() {
      return Expressions.alwaysFalse();
    }

    @Override
    public Expression and(Expression left, Expression right) {
      return Expressions.and(left, right);
    }

    @Override
    public Expression or(Expression left, Expression right) {
      return Expressions.or(left, right);
    }

    @Override
    public <T> Expression predicate(UnboundPredicate<T> predicate) {
      return switch (predicate.op()) {
        case LT, LT_EQ, NOT_EQ, NOT_IN, NOT_STARTS_WITH ->
            Expressions.and(Expressions.notNull(predicate.ref().name()), predicate);
        default -> predicate;
      };
    }
  }

  static <T> T one(Random random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
