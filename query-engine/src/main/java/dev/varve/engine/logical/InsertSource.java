package dev.varve.engine.logical;

import dev.varve.engine.sql.CalciteTypes;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.Suggestions;
import dev.varve.engine.sql.TargetTypedParameters;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.tools.RelBuilder;

/** Makes a query's columns those of the table it is inserted into. */
final class InsertSource {
  private static final int DEFAULT = -1;

  private final Schema target;
  private final List<QualifiedName> columns;

  InsertSource(Schema target, List<QualifiedName> columns) {
    this.target = target;
    this.columns = columns;
  }

  /** The statement's source with parameters that have the types of the columns they are for. */
  SqlNode withTypedParameters(SqlNode source) {
    List<DataType> types = new ArrayList<>();
    if (columns.isEmpty()) {
      target.fields().forEach(field -> types.add(field.type()));
    }
    for (QualifiedName column : columns) {
      int index = target.indexOf(column.last());
      types.add(index < 0 ? DataType.VARCHAR : target.type(index));
    }
    return TargetTypedParameters.in(source, types);
  }

  RelNode convert(RelNode source, SqlNode text) {
    SourcePosition place =
        new SourcePosition(
            Math.max(1, text.getParserPosition().getLineNum()),
            Math.max(1, text.getParserPosition().getColumnNum()));
    int[] from = positions(source.getRowType().getFieldCount(), place);
    RelBuilder builder = AlgebraConverter.builder(source.getCluster()).push(source);
    List<RexNode> projects = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < target.size(); i++) {
      Field field = target.field(i);
      names.add(field.name());
      if (from[i] == DEFAULT) {
        if (!field.nullable()) {
          throw new VarveException(
              ErrorCode.NOT_NULL_VIOLATION,
              "column '" + field.name() + "' is NOT NULL and has no value",
              place,
              null,
              null);
        }
        projects.add(
            builder.getRexBuilder().makeNullLiteral(CalciteTypes.relType(field.type(), true)));
        continue;
      }
      RexNode value = builder.field(from[i]);
      requireAssignable(source, from[i], field, place);
      RelDataType type = CalciteTypes.relType(field.type(), value.getType().isNullable());
      projects.add(builder.getRexBuilder().ensureType(type, value, true));
    }
    return builder.project(projects, names, true).build();
  }

  /** For each column of the table the source's column, or DEFAULT. */
  private int[] positions(int sourceColumns, SourcePosition place) {
    int[] from = new int[target.size()];
    Arrays.fill(from, DEFAULT);
    int expected = columns.isEmpty() ? target.size() : columns.size();
    if (sourceColumns != expected) {
      throw new VarveException(
          ErrorCode.SYNTAX_ERROR,
          "INSERT has "
              + expected
              + " columns but "
              + sourceColumns
              + (sourceColumns == 1 ? " value" : " values"),
          place,
          null,
          null);
    }
    if (columns.isEmpty()) {
      Arrays.setAll(from, i -> i);
      return from;
    }
    for (int i = 0; i < columns.size(); i++) {
      QualifiedName column = columns.get(i);
      int index = target.indexOf(column.last());
      if (index < 0) {
        throw new VarveException(
            ErrorCode.UNDEFINED_COLUMN,
            "Column '" + column.last() + "' not found in the table",
            column.position(),
            Suggestions.hint(column.last(), target.fields().stream().map(Field::name).toList()),
            null);
      }
      if (from[index] != DEFAULT) {
        throw new VarveException(
            ErrorCode.SYNTAX_ERROR,
            "Column '" + column.last() + "' is named twice",
            column.position(),
            null,
            null);
      }
      from[index] = i;
    }
    return from;
  }

  private static void requireAssignable(
      RelNode source, int column, Field field, SourcePosition place) {
    DataType from = CalciteTypes.dataType(source.getRowType().getFieldList().get(column).getType());
    if (!isAssignable(from, field.type()) && !(isText(from) && isLiteral(source, column))) {
      throw new VarveException(
          ErrorCode.TYPE_MISMATCH,
          "column '" + field.name() + "' is " + field.type() + " but its value is " + from,
          place,
          "cast the value",
          null);
    }
  }

  private static boolean isText(DataType type) {
    return type.kind() == TypeKind.VARCHAR;
  }

  /** PostgreSQL's assignment casts. */
  private static boolean isAssignable(DataType from, DataType to) {
    if (from.equals(to) || from.kind() == TypeKind.NULL || isText(to)) {
      return true;
    }
    if (from.isNumeric()) {
      return to.isNumeric();
    }
    return isDate(from) && isDate(to);
  }

  private static boolean isDate(DataType type) {
    return switch (type.kind()) {
      case DATE, TIMESTAMP, TIMESTAMPTZ -> true;
      default -> false;
    };
  }

  /** Whether a column's values are all written in the statement; their text has no type yet. */
  private static boolean isLiteral(RelNode node, int column) {
    return switch (node) {
      case Values ignored -> true;
      case Project project -> {
        RexNode expression = project.getProjects().get(column);
        yield expression instanceof RexLiteral
            || (expression instanceof RexInputRef input
                && isLiteral(project.getInput(), input.getIndex()));
      }
      case Filter filter -> isLiteral(filter.getInput(), column);
      case Sort sort -> isLiteral(sort.getInput(), column);
      case Union union -> union.getInputs().stream().allMatch(input -> isLiteral(input, column));
      default -> false;
    };
  }
}
