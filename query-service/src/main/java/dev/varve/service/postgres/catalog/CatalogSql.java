package dev.varve.service.postgres.catalog;

import dev.varve.service.postgres.SqlTokens;
import dev.varve.service.postgres.SqlTokens.Kind;
import dev.varve.service.postgres.SqlTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** PostgreSQL's SQL as H2 reads it, where it does not by itself. */
final class CatalogSql {
  private static final Token DOT = new Token(Kind.SYMBOL, ".");
  private static final Token NOTHING = new Token(Kind.SPACE, " ");
  private static final Set<String> TEXT_TYPES =
      Set.of(
          "text",
          "name",
          "regtype",
          "regproc",
          "regprocedure",
          "regnamespace",
          "regrole",
          "char",
          "bpchar");

  private final List<Token> tokens;
  private final List<Token> result = new ArrayList<>();
  private int at;

  private CatalogSql(List<Token> tokens) {
    this.tokens = tokens;
  }

  static String translate(String sql) {
    CatalogSql translation = new CatalogSql(SqlTokens.significant(sql));
    while (translation.at < translation.tokens.size()) {
      translation.next();
    }
    StringBuilder text = new StringBuilder();
    for (Token token : translation.result) {
      text.append(token.text());
      if (token.kind() != Kind.SYMBOL) {
        text.append(' ');
      }
    }
    return text.toString();
  }

  private Token peek(int ahead) {
    return at + ahead < tokens.size() ? tokens.get(at + ahead) : NOTHING;
  }

  private void next() {
    Token token = tokens.get(at++);
    if (token.isWord("operator") && peek(0).isSymbol("(")) {
      operator();
    } else if (token.isWord("array")
        && peek(0).isSymbol("(")
        && peek(2).text().equals("'toast.'")) {
      toastOptions();
    } else if (token.isWord("collate")) {
      skipQualifier();
      at++;
    } else if (token.isSymbol("::")) {
      cast();
    } else if (token.isSymbol("~") && peek(0).isSymbol("~")) {
      at++;
      boolean negated = !result.isEmpty() && result.getLast().isSymbol("!");
      if (negated) {
        result.removeLast();
      }
      word(negated ? " NOT LIKE" : " LIKE");
    } else if (token.kind() == Kind.WORD && !isColumn()) {
      function(token);
    } else {
      result.add(token);
    }
  }

  /** A word after a dot, or after AS, is no function of the session, whatever it is called. */
  private boolean isColumn() {
    int size = result.size();
    return size > 1
        && (result.getLast().isWord("as")
            || (result.getLast().equals(DOT) && !result.get(size - 2).isWord("pg_catalog")));
  }

  private void word(String text) {
    result.add(new Token(Kind.WORD, text));
  }

  /** {@code OPERATOR(pg_catalog.~)} is {@code ~}. */
  private void operator() {
    at++;
    skipQualifier();
    while (at < tokens.size() && !peek(0).isSymbol(")")) {
      result.add(tokens.get(at++));
    }
    at++;
    if (result.size() > 1
        && result.getLast().isSymbol("~")
        && result.get(result.size() - 2).isSymbol("~")) {
      result.removeLast();
      result.removeLast();
      word(" LIKE");
    }
  }

  /** {@code || array(select 'toast.' ...)}, which is empty and not to be read, is left out. */
  private void toastOptions() {
    int depth = 0;
    do {
      depth += peek(0).isSymbol("(") ? 1 : peek(0).isSymbol(")") ? -1 : 0;
      at++;
    } while (depth > 0 && at < tokens.size());
    while (!result.isEmpty() && result.getLast().isSymbol("|")) {
      result.removeLast();
    }
  }

  private void skipQualifier() {
    if (peek(0).isWord("pg_catalog") && peek(1).isSymbol(".")) {
      at += 2;
    }
  }

  private void cast() {
    skipQualifier();
    Token type = at < tokens.size() ? tokens.get(at++) : NOTHING;
    String name = type.folded().replace("\"", "");
    if (name.equals("regclass") && !result.isEmpty() && result.getLast().kind() == Kind.STRING) {
      Token text = result.removeLast();
      word("pg_catalog.to_regclass(" + text.text() + ")");
    } else if (name.equals("regclass") || TEXT_TYPES.contains(name)) {
      word("::varchar");
    } else if (name.equals("oid")) {
      word("::int");
    } else {
      result.add(new Token(Kind.SYMBOL, "::"));
      result.add(type);
    }
  }

  private void function(Token token) {
    String replacement =
        switch (token.folded()) {
          case "current_schema" -> "varve_schema";
          case "current_database", "current_catalog" -> "varve_database";
          case "current_user", "session_user", "current_role" -> "varve_user";
          case "generate_series" -> "system_range";
          default -> null;
        };
    if (replacement == null) {
      result.add(token);
      return;
    }
    if (replacement.equals("system_range")) {
      dropQualifier();
      word(replacement);
      return;
    }
    if (peek(0).isSymbol("(") && peek(1).isSymbol(")")) {
      at += 2;
    }
    dropQualifier();
    word("pg_catalog." + replacement + "()");
  }

  private void dropQualifier() {
    if (!result.isEmpty() && result.getLast().equals(DOT)) {
      result.removeLast();
      result.removeLast();
    }
  }

  /** The names of what a query answers, from its text. */
  static List<String> names(String sql) {
    List<String> names = new ArrayList<>();
    int depth = 0;
    Token last = NOTHING;
    boolean within = false;
    for (Token token : SqlTokens.significant(sql)) {
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      if (depth == 0 && !within) {
        within = token.isWord("select");
        continue;
      }
      if (depth == 0 && (token.isWord("from") || token.isSymbol(","))) {
        names.add(last.folded().replace("\"", ""));
        if (token.isWord("from")) {
          break;
        }
      }
      last = token;
    }
    return names;
  }
}
