package dev.varve.engine.sql;

import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;

/** From text to statements. Safe for concurrent use. */
public final class SqlFrontEnd {
  private static final int MAX_IDENTIFIER_LENGTH = 255;

  /**
   * Parses exactly one statement; a trailing semicolon is allowed.
   *
   * @throws VarveException SYNTAX_ERROR with the position of the first token that does not fit
   */
  public Statement parse(String sql) {
    try {
      return withText(parser(new StringReader(sql)).SingleStatement(), sql);
    } catch (ParseException | TokenMgrError | RuntimeException | StackOverflowError e) {
      throw SyntaxErrors.of(e);
    }
  }

  /** A view's query is kept as it was written. */
  private static Statement withText(Statement statement, String sql) {
    return statement instanceof Statement.CreateView view
        ? view.withText(sql.substring(offset(sql, view.start()), offset(sql, view.end()) + 1))
        : statement;
  }

  private static int offset(String sql, SourcePosition position) {
    int line = 1;
    int at = 0;
    while (line < position.line()) {
      char c = sql.charAt(at++);
      // A return and a newline end one line.
      boolean ends = c == '\n' || (c == '\r' && !(at < sql.length() && sql.charAt(at) == '\n'));
      line += ends ? 1 : 0;
    }
    return at + position.column() - 1;
  }

  /**
   * Parses statements separated by semicolons. Positions in its errors count in the whole script.
   */
  public List<ParsedStatement> parseScript(String script) {
    List<ParsedStatement> statements = new ArrayList<>();
    for (ScriptSplitter.Piece piece : ScriptSplitter.split(script)) {
      try {
        statements.add(new ParsedStatement(piece.text(), parse(piece.text())));
      } catch (VarveException e) {
        throw moved(e, piece);
      }
    }
    return statements;
  }

  private static VarveException moved(VarveException failure, ScriptSplitter.Piece piece) {
    SourcePosition inner = failure.position();
    if (inner == null) {
      return failure.at(new SourcePosition(piece.line(), piece.column()));
    }
    SourcePosition outer =
        new SourcePosition(
            piece.line() + inner.line() - 1,
            inner.line() == 1 ? piece.column() + inner.column() - 1 : inner.column());
    return new VarveException(
        failure.code(), String.valueOf(failure.getMessage()), outer, failure.hint(), failure);
  }

  private static SqlGrammar parser(Reader reader) {
    SqlGrammar parser = new SqlGrammar(reader);
    parser.switchTo(SqlAbstractParserImpl.LexicalState.DQID);
    parser.setTabSize(1);
    parser.setUnquotedCasing(Casing.TO_LOWER);
    parser.setQuotedCasing(Casing.UNCHANGED);
    parser.setIdentifierMaxLength(MAX_IDENTIFIER_LENGTH);
    parser.setConformance(VarveConformance.INSTANCE);
    return parser;
  }
}
