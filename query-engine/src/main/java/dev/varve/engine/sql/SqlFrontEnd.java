package dev.varve.engine.sql;

import java.util.List;

/** From text to statements. Safe for concurrent use. */
public final class SqlFrontEnd {

  /**
   * Parses exactly one statement; a trailing semicolon is allowed.
   *
   * @throws dev.varve.layout.error.VarveException SYNTAX_ERROR with the position of the first token
   *     that does not fit
   */
  public Statement parse(String sql) {
    throw new UnsupportedOperationException(sql);
  }

  /** Parses statements separated by semicolons. */
  public List<ParsedStatement> parseScript(String script) {
    throw new UnsupportedOperationException(script);
  }
}
