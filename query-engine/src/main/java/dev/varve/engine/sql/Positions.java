package dev.varve.engine.sql;

import dev.varve.layout.error.SourcePosition;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/** What the grammar takes out of Calcite's nodes. */
final class Positions {
  private Positions() {}

  /** Whether a token of the grammar begins a query. */
  static boolean startsQuery(int tokenKind) {
    return switch (tokenKind) {
      case SqlGrammarConstants.SELECT,
          SqlGrammarConstants.WITH,
          SqlGrammarConstants.VALUES,
          SqlGrammarConstants.TABLE,
          SqlGrammarConstants.LPAREN ->
          true;
      default -> false;
    };
  }

  static SourcePosition of(SqlParserPos position) {
    return new SourcePosition(
        Math.max(1, position.getLineNum()), Math.max(1, position.getColumnNum()));
  }

  static SourcePosition start(SqlNode node) {
    return of(node.getParserPosition());
  }

  static QualifiedName name(SqlIdentifier identifier) {
    return new QualifiedName(identifier.names, start(identifier));
  }

  /** {@code SELECT * FROM table}. */
  static SqlNode allRows(QualifiedName table) {
    SqlParserPos position = new SqlParserPos(table.position().line(), table.position().column());
    return new SqlSelect(
        position,
        null,
        new SqlNodeList(List.of(SqlIdentifier.star(position)), position),
        new SqlIdentifier(table.parts(), position),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** The value of a literal as {@link Statement.Argument} gives it. */
  static @Nullable Object literal(SqlNode node) {
    if (!(node instanceof SqlLiteral literal)) {
      throw SyntaxErrors.at(start(node), "an argument of CALL is a literal");
    }
    Object value = literal.getValue();
    if (value == null || literal.getTypeName() == SqlTypeName.NULL) {
      return null;
    }
    if (literal instanceof SqlNumericLiteral number) {
      BigDecimal exact = number.bigDecimalValue();
      if (exact == null) {
        throw SyntaxErrors.at(start(node), "not a number: " + number);
      }
      if (!number.isInteger()) {
        return literal.getTypeName() == SqlTypeName.DOUBLE ? (Object) exact.doubleValue() : exact;
      }
      return exact.toBigInteger().bitLength() < Long.SIZE ? (Object) exact.longValueExact() : exact;
    }
    if (value instanceof NlsString text) {
      return text.getValue();
    }
    if (value instanceof Boolean) {
      return value;
    }
    return literal.toValue();
  }
}
