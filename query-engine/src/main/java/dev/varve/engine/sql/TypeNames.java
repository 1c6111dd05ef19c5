package dev.varve.engine.sql;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlTypeNameSpec;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/** Names of types in SQL text. */
final class TypeNames {
  /** PostgreSQL's names beside the standard's, which are words of the grammar. */
  private static final Map<String, SqlTypeName> POSTGRES =
      Map.ofEntries(
          Map.entry("bool", SqlTypeName.BOOLEAN),
          Map.entry("int2", SqlTypeName.SMALLINT),
          Map.entry("int4", SqlTypeName.INTEGER),
          Map.entry("int8", SqlTypeName.BIGINT),
          Map.entry("long", SqlTypeName.BIGINT),
          Map.entry("float4", SqlTypeName.REAL),
          Map.entry("float8", SqlTypeName.DOUBLE),
          Map.entry("text", SqlTypeName.VARCHAR),
          Map.entry("string", SqlTypeName.VARCHAR),
          Map.entry("bpchar", SqlTypeName.VARCHAR),
          Map.entry("bytea", SqlTypeName.VARBINARY),
          Map.entry("bytes", SqlTypeName.VARBINARY),
          Map.entry("timestamptz", SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE),
          Map.entry("uuid", SqlTypeName.UUID));

  private static final List<String> STANDARD =
      List.of(
          "boolean",
          "smallint",
          "int",
          "integer",
          "bigint",
          "real",
          "double",
          "float",
          "decimal",
          "numeric",
          "date",
          "time",
          "timestamp",
          "varchar",
          "char",
          "varbinary",
          "interval");

  private TypeNames() {}

  /** The type that a name outside the standard's grammar stands for. */
  static SqlTypeNameSpec resolve(SqlIdentifier name, int precision, SqlParserPos position) {
    String word = name.toString().toLowerCase(Locale.ROOT);
    SqlTypeName type = POSTGRES.get(word);
    if (type == null || name.names.size() > 1) {
      throw new VarveException(
          ErrorCode.UNDEFINED_OBJECT,
          "Type '" + word + "' does not exist",
          Positions.of(position),
          Suggestions.hint(word, Suggestions.join(POSTGRES.keySet(), STANDARD)),
          null);
    }
    return new SqlBasicTypeNameSpec(type, precision, position);
  }

  /** The engine's type of a column definition. */
  static DataType dataType(SqlDataTypeSpec spec) {
    SqlTypeName name =
        spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
            ? SqlTypeName.get(basic.getTypeName().toString())
            : null;
    if (name == null || !(spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic)) {
      throw SyntaxErrors.unsupported(
          Positions.start(spec), "type " + spec + " is not supported yet");
    }
    try {
      return name.allowsPrec()
          ? CalciteTypes.dataType(name, basic.getPrecision(), basic.getScale())
          : CalciteTypes.dataType(name, 0, 0);
    } catch (VarveException e) {
      throw e.at(Positions.start(spec));
    }
  }

  /** The n of VARCHAR(n) or CHAR(n). */
  static OptionalInt textLength(SqlDataTypeSpec spec) {
    return spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
            && SqlTypeName.get(basic.getTypeName().toString()) == SqlTypeName.VARCHAR
            && basic.getPrecision() >= 0
        ? OptionalInt.of(basic.getPrecision())
        : OptionalInt.empty();
  }
}
