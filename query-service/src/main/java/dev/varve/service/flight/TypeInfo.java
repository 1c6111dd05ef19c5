package dev.varve.service.flight;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.TypeKind;
import java.util.List;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.arrow.vector.util.Text;

/** The SQL types as JDBC and ODBC ask for them. */
final class TypeInfo {
  private static final int XDBC_NULLABLE = 1;
  private static final int XDBC_SEARCHABLE = 3;
  private static final int MAX_TEXT = Integer.MAX_VALUE;

  /**
   * One type.
   *
   * @param code JDBC's and ODBC's number of the nearest type
   * @param prefix what a literal begins with; empty if with nothing
   * @param numberRadix 0 for what is no number
   */
  private record Row(
      DataType type, int code, String prefix, List<String> parameters, int numberRadix) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(DataType.BOOLEAN, -7, "", List.of(), 0),
          new Row(DataType.BIGINT, -5, "", List.of(), 10),
          new Row(DataType.VARBINARY, -3, "X'", List.of(), 0),
          new Row(
              DataType.decimal(DataType.MAX_DECIMAL_PRECISION, 0),
              3,
              "",
              List.of("precision", "scale"),
              10),
          new Row(DataType.INTEGER, 4, "", List.of(), 10),
          new Row(DataType.SMALLINT, 5, "", List.of(), 10),
          new Row(DataType.REAL, 7, "", List.of(), 2),
          new Row(DataType.DOUBLE, 8, "", List.of(), 2),
          new Row(DataType.VARCHAR, 12, "'", List.of("length"), 0),
          new Row(DataType.UUID, 12, "'", List.of(), 0),
          new Row(DataType.DATE, 91, "DATE '", List.of(), 0),
          new Row(DataType.TIME, 92, "TIME '", List.of(), 0),
          new Row(DataType.TIMESTAMP, 93, "TIMESTAMP '", List.of(), 0),
          new Row(DataType.TIMESTAMPTZ, 93, "TIMESTAMP WITH TIME ZONE '", List.of(), 0));

  private TypeInfo() {}

  static String name(DataType type) {
    return type.kind() == TypeKind.DECIMAL ? "decimal" : type.toString();
  }

  /** Digits or characters, the most there can be. */
  static int precision(DataType type) {
    return switch (type.kind()) {
      case NULL -> 0;
      case BOOLEAN -> 1;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      case REAL -> 24;
      case DOUBLE -> 53;
      case DECIMAL -> type.precision();
      case DATE -> 10;
      case TIME -> 15;
      case TIMESTAMP -> 26;
      case TIMESTAMPTZ -> 32;
      case INTERVAL_DAY, INTERVAL_MONTH -> 32;
      case UUID -> 36;
      case VARCHAR, VARBINARY -> MAX_TEXT;
    };
  }

  /**
   * Fills the root with the types, or with those of one code.
   *
   * @param code all where it is 0
   */
  static void write(VectorSchemaRoot root, int code) {
    root.allocateNew();
    UnionListWriter parameters = ((ListVector) root.getVector("create_params")).getWriter();
    int at = 0;
    for (Row row : ROWS) {
      if (code == 0 || row.code() == code) {
        parameters.setPosition(at);
        write(root, at++, row, parameters);
      }
    }
    root.setRowCount(at);
  }

  private static void write(VectorSchemaRoot root, int at, Row row, UnionListWriter parameters) {
    DataType type = row.type();
    text(root, "type_name", at, name(type));
    text(root, "local_type_name", at, name(type));
    number(root, "data_type", at, row.code());
    number(root, "sql_data_type", at, row.code());
    number(root, "column_size", at, precision(type));
    number(root, "nullable", at, XDBC_NULLABLE);
    number(root, "searchable", at, XDBC_SEARCHABLE);
    flag(root, "case_sensitive", at, type.kind() == TypeKind.VARCHAR);
    flag(root, "fixed_prec_scale", at, false);
    flag(root, "auto_increment", at, false);
    if (!row.prefix().isEmpty()) {
      text(root, "literal_prefix", at, row.prefix());
      text(root, "literal_suffix", at, "'");
    }
    if (row.numberRadix() > 0) {
      flag(root, "unsigned_attribute", at, false);
      number(root, "num_prec_radix", at, row.numberRadix());
    }
    if (type.isDecimal()) {
      number(root, "minimum_scale", at, 0);
      number(root, "maximum_scale", at, DataType.MAX_DECIMAL_PRECISION);
    }
    if (!row.parameters().isEmpty()) {
      parameters.startList();
      row.parameters().forEach(parameter -> parameters.writeVarChar(new Text(parameter)));
      parameters.endList();
    }
  }

  private static void text(VectorSchemaRoot root, String column, int at, String value) {
    ((VarCharVector) root.getVector(column)).setSafe(at, new Text(value));
  }

  private static void number(VectorSchemaRoot root, String column, int at, int value) {
    ((IntVector) root.getVector(column)).setSafe(at, value);
  }

  private static void flag(VectorSchemaRoot root, String column, int at, boolean value) {
    ((BitVector) root.getVector(column)).setSafe(at, value ? 1 : 0);
  }
}
