package dev.varve.engine.physical;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.expr.LiteralExpr;
import dev.varve.engine.function.TypeMapping;
import dev.varve.engine.operator.EmptyExec;
import dev.varve.engine.operator.ValuesExec;
import dev.varve.engine.physical.PhysicalPlanner.Translation;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexLiteral;

/** Rows of literals. */
final class ValuesPlanner {
  private ValuesPlanner() {}

  static PhysicalPlan plan(Translation translation, Values values) {
    Schema schema = schema(values.getRowType());
    int rows = values.tuples.size();
    if (rows == 0 || schema.size() == 0) {
      return new EmptyExec(schema, rows);
    }
    int batchSize = translation.settings().batchSize();
    List<Batch> batches = new ArrayList<>();
    for (int from = 0; from < rows; from += batchSize) {
      batches.add(
          batch(
              translation, schema, values.tuples.subList(from, Math.min(rows, from + batchSize))));
    }
    return new ValuesExec(schema, batches);
  }

  private static Batch batch(
      Translation translation, Schema schema, List<? extends List<? extends RexLiteral>> tuples) {
    List<ColumnBuilder> columns = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      ColumnBuilder column = ColumnBuilder.of(schema.type(i), tuples.size());
      for (List<? extends RexLiteral> tuple : tuples) {
        column.append(value(translation, tuple.get(i), schema.type(i)));
      }
      columns.add(column);
    }
    return new Batch(schema, columns.stream().map(ColumnBuilder::build).toList(), tuples.size());
  }

  private static @org.jspecify.annotations.Nullable Object value(
      Translation translation, RexLiteral literal, DataType type) {
    if (literal.isNull()) {
      return null;
    }
    if (translation.expression(literal, Schema.EMPTY) instanceof LiteralExpr constant) {
      return constant.value();
    }
    throw new IllegalStateException("the literal " + literal + " of " + type + " is no constant");
  }

  static Schema schema(RelDataType rowType) {
    List<Field> fields = new ArrayList<>();
    for (RelDataTypeField field : rowType.getFieldList()) {
      fields.add(
          Field.of(
              field.getName(),
              TypeMapping.toDataType(field.getType()),
              field.getType().isNullable()));
    }
    return new Schema(fields);
  }
}
