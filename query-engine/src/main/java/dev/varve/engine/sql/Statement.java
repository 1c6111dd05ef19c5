package dev.varve.engine.sql;

import dev.varve.engine.type.DataType;
import dev.varve.layout.error.SourcePosition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/**
 * One parsed statement. Names are folded, nothing is resolved yet. A query's tree is rewritten in
 * place when it is validated, so a statement is planned once.
 */
public sealed interface Statement {
  /** Where the statement begins in the text that was parsed. */
  SourcePosition position();

  record Query(SqlNode query, SourcePosition position) implements Statement {}

  record Explain(boolean analyze, boolean verbose, Statement statement, SourcePosition position)
      implements Statement {}

  record CreateSchema(QualifiedName name, boolean ifNotExists, SourcePosition position)
      implements Statement {}

  record DropSchema(QualifiedName name, boolean ifExists, boolean cascade, SourcePosition position)
      implements Statement {}

  /**
   * A column of CREATE TABLE.
   *
   * @param textLength the n of VARCHAR(n)
   */
  record ColumnDefinition(
      String name,
      DataType type,
      OptionalInt textLength,
      boolean notNull,
      SourcePosition position) {}

  /** A key of ORDERED BY; the null position is already PostgreSQL's default where unsaid. */
  record OrderKey(String column, boolean descending, boolean nullsFirst, SourcePosition position) {}

  /** Option names are lower case; values are the text of a string, number, boolean or name. */
  record CreateTable(
      QualifiedName name,
      List<ColumnDefinition> columns,
      List<OrderKey> orderedBy,
      Map<String, String> options,
      boolean ifNotExists,
      SourcePosition position)
      implements Statement {
    public CreateTable {
      columns = List.copyOf(columns);
      orderedBy = List.copyOf(orderedBy);
      options = Map.copyOf(options);
    }
  }

  record CreateTableAs(
      QualifiedName name,
      List<OrderKey> orderedBy,
      Map<String, String> options,
      boolean ifNotExists,
      SqlNode query,
      SourcePosition position)
      implements Statement {
    public CreateTableAs {
      orderedBy = List.copyOf(orderedBy);
      options = Map.copyOf(options);
    }
  }

  /**
   * {@code text} is the query as it was written, from {@code start} to {@code end}; {@code columns}
   * are its columns' names where they are given.
   */
  record CreateView(
      QualifiedName name,
      List<QualifiedName> columns,
      boolean orReplace,
      boolean ifNotExists,
      SqlNode query,
      String text,
      SourcePosition start,
      SourcePosition end,
      SourcePosition position)
      implements Statement {
    public CreateView {
      columns = List.copyOf(columns);
    }

    CreateView withText(String source) {
      return new CreateView(
          name, columns, orReplace, ifNotExists, query, source, start, end, position);
    }
  }

  record DropView(QualifiedName name, boolean ifExists, SourcePosition position)
      implements Statement {}

  record Analyze(QualifiedName table, SourcePosition position) implements Statement {}

  record DropTable(QualifiedName name, boolean ifExists, SourcePosition position)
      implements Statement {}

  /** No columns means all of the table's, in order. */
  record Insert(
      QualifiedName table, List<QualifiedName> columns, SqlNode source, SourcePosition position)
      implements Statement {
    public Insert {
      columns = List.copyOf(columns);
    }
  }

  record CopyFrom(
      QualifiedName table, String path, Map<String, String> options, SourcePosition position)
      implements Statement {
    public CopyFrom {
      options = Map.copyOf(options);
    }
  }

  /** COPY of a table is COPY of {@code SELECT * FROM table}. */
  record CopyTo(SqlNode query, String path, Map<String, String> options, SourcePosition position)
      implements Statement {
    public CopyTo {
      options = Map.copyOf(options);
    }
  }

  /**
   * A literal argument: null, Boolean, Long, BigDecimal, Double (with an exponent) or String; name
   * is null for a positional one.
   */
  record Argument(@Nullable String name, @Nullable Object value, SourcePosition position) {}

  record Call(QualifiedName procedure, List<Argument> arguments, SourcePosition position)
      implements Statement {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  enum ShowKind {
    CATALOGS,
    /** FROM names a catalog. */
    SCHEMAS,
    /** FROM names a schema. */
    TABLES,
    /** FROM names a schema. */
    VIEWS,
    /** FROM names a table; it is always there. */
    COLUMNS,
    FUNCTIONS,
    /** SHOW ALL and SHOW SETTINGS. */
    SETTINGS,
    /** SHOW name; FROM holds the setting's name. */
    SETTING
  }

  /** {@code like} is a LIKE pattern on the name. */
  record Show(
      ShowKind kind, Optional<QualifiedName> from, Optional<String> like, SourcePosition position)
      implements Statement {}

  record Describe(QualifiedName table, SourcePosition position) implements Statement {}

  record SetSetting(String name, String value, SourcePosition position) implements Statement {}

  /** An empty name is RESET ALL. */
  record ResetSetting(Optional<String> name, SourcePosition position) implements Statement {}

  /** USE schema, or USE catalog.schema. */
  record Use(QualifiedName name, SourcePosition position) implements Statement {}
}
