package dev.varve.engine.sql;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Turns what Calcite throws into the failures of this product: a code, a short text of our own, the
 * place, and the nearest name that exists.
 */
public final class ValidationErrors {
  private static final Pattern NOT_FOUND =
      Pattern.compile("Object '(.*?)' not found(?: within '(.*?)')?.*", Pattern.DOTALL);
  private static final Pattern NO_TABLE = Pattern.compile("Table '(.*?)' not found.*");
  private static final Pattern NO_COLUMN =
      Pattern.compile(
          "(?:Unknown field|Column) '(.*?)' not found in (?:any table|table '(.*?)').*");
  private static final Pattern UNKNOWN_NAME =
      Pattern.compile("Unknown (?:identifier|field) '(.*?)'.*");
  private static final Pattern AMBIGUOUS = Pattern.compile("Column '(.*?)' is ambiguous.*");
  private static final Pattern NO_FUNCTION =
      Pattern.compile("No match found for function signature (.*?)\\((.*)\\).*", Pattern.DOTALL);
  private static final Pattern CANNOT_APPLY =
      Pattern.compile("Cannot apply '(.*?)' to arguments of type '(.*?)'\\..*", Pattern.DOTALL);
  private static final Pattern ARGUMENT_COUNT =
      Pattern.compile("Invalid number of arguments to function '(.*?)'\\. Was expecting (\\d+).*");
  private static final Pattern NOT_GROUPED =
      Pattern.compile("Expression '(.*?)' is not being grouped.*", Pattern.DOTALL);
  private static final Pattern NOT_GROUPED_OUTSIDE =
      Pattern.compile("Identifier '(.*?)' is not a group expr", Pattern.DOTALL);
  private static final Pattern NO_CAST =
      Pattern.compile(
          "Cast function cannot convert value of type (.*?) to type (.*)", Pattern.DOTALL);

  private final StatementCatalog catalog;
  private final SqlOperatorTable functions;
  private final SqlNode query;

  ValidationErrors(StatementCatalog catalog, SqlOperatorTable functions, SqlNode query) {
    this.catalog = catalog;
    this.functions = functions;
    this.query = query;
  }

  VarveException translate(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof VarveException known) {
        return placed(known, failure);
      }
    }
    if (failure instanceof CalciteContextException context) {
      return describe(context);
    }
    return unexpected(failure);
  }

  /** What Calcite does not manage: never its stack trace. */
  public static VarveException unexpected(Throwable failure) {
    if (failure instanceof VarveException known) {
      return known;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof VarveException known) {
        return known;
      }
      if (cause instanceof StackOverflowError) {
        return new VarveException(
            ErrorCode.FEATURE_NOT_SUPPORTED, "the statement is nested too deeply", failure);
      }
      Matcher match = NOT_GROUPED_OUTSIDE.matcher(String.valueOf(cause.getMessage()));
      if (match.matches()) {
        return notGrouped(match.group(1), null, failure);
      }
      if (cause instanceof CalciteContextException context) {
        Throwable reason = context.getCause() == null ? context : context.getCause();
        return at(
            ErrorCode.FEATURE_NOT_SUPPORTED,
            lower(firstLine(reason.getMessage())),
            SyntaxErrors.position(context),
            null,
            failure);
      }
      if (cause instanceof CalciteException || cause instanceof UnsupportedOperationException) {
        return new VarveException(
            ErrorCode.FEATURE_NOT_SUPPORTED,
            "the query uses something that is not supported: " + firstLine(cause.getMessage()),
            failure);
      }
    }
    return new VarveException(
        ErrorCode.INTERNAL_ERROR,
        "the query cannot be planned: " + firstLine(failure.getMessage()),
        failure);
  }

  private static VarveException placed(VarveException known, Throwable outer) {
    return outer instanceof CalciteContextException context
        ? known.at(SyntaxErrors.position(context))
        : known;
  }

  private VarveException describe(CalciteContextException context) {
    Throwable cause = context.getCause() == null ? context : context.getCause();
    String text = String.valueOf(cause.getMessage());
    SourcePosition position = SyntaxErrors.position(context);
    Matcher match = NOT_FOUND.matcher(text);
    if (match.matches()) {
      return noObject(position, context);
    }
    match = NO_TABLE.matcher(text);
    if (match.matches()) {
      return noTable(match.group(1), position, context);
    }
    match = NO_COLUMN.matcher(text);
    if (match.matches()) {
      return noColumn(match.group(1), match.group(2), position, context);
    }
    match = UNKNOWN_NAME.matcher(text);
    if (match.matches()) {
      return noColumn(match.group(1), null, position, context);
    }
    match = AMBIGUOUS.matcher(text);
    if (match.matches()) {
      return at(
          ErrorCode.AMBIGUOUS_COLUMN,
          "Column '" + match.group(1) + "' is in more than one table",
          position,
          "write its table's name before it",
          context);
    }
    match = NO_FUNCTION.matcher(text);
    if (match.matches()) {
      return noFunction(match.group(1), match.group(2), position, context);
    }
    match = CANNOT_APPLY.matcher(text);
    if (match.matches()) {
      return cannotApply(match.group(1), match.group(2), position, context);
    }
    match = ARGUMENT_COUNT.matcher(text);
    if (match.matches()) {
      return at(
          ErrorCode.UNDEFINED_FUNCTION,
          "Function "
              + match.group(1).toLowerCase(Locale.ROOT)
              + " has "
              + match.group(2)
              + " arguments",
          position,
          null,
          context);
    }
    match = NOT_GROUPED.matcher(text);
    if (match.matches()) {
      return notGrouped(match.group(1), position, context);
    }
    match = NO_CAST.matcher(text);
    if (match.matches()) {
      return at(
          ErrorCode.TYPE_MISMATCH,
          "cannot cast " + typeName(match.group(1)) + " to " + typeName(match.group(2)),
          position,
          null,
          context);
    }
    return at(code(text), lower(firstLine(text)), position, null, context);
  }

  private static VarveException notGrouped(
      String name, @Nullable SourcePosition position, Throwable cause) {
    return at(
        ErrorCode.GROUPING_ERROR,
        "'" + name + "' is neither grouped nor aggregated",
        position,
        "put it into GROUP BY or into an aggregate function",
        cause);
  }

  private static ErrorCode code(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.contains("aggregate") || lower.contains("grouped") || lower.contains("grouping")) {
      return ErrorCode.GROUPING_ERROR;
    }
    if (lower.contains("out of range") && lower.contains("literal")) {
      return ErrorCode.NUMERIC_OUT_OF_RANGE;
    }
    if (lower.startsWith("illegal") && lower.contains("literal")) {
      return ErrorCode.INVALID_DATETIME;
    }
    if (lower.contains("type mismatch")
        || lower.contains("compatible types")
        || lower.contains("must be a condition")
        || lower.contains("cannot infer")
        || lower.contains("incompatible")
        || lower.contains("mixing of types")) {
      return ErrorCode.TYPE_MISMATCH;
    }
    return lower.contains("not supported") || lower.contains("unsupported")
        ? ErrorCode.FEATURE_NOT_SUPPORTED
        : ErrorCode.SYNTAX_ERROR;
  }

  /** A table of FROM that does not exist, or its schema, or its catalog. */
  private VarveException noObject(SourcePosition position, Throwable cause) {
    SchemaResolver tables = catalog.resolver();
    List<String> names = identifierAt(position);
    String name = String.join(".", names);
    if (names.size() == 3 && !tables.catalogs().contains(names.getFirst())) {
      return at(
          ErrorCode.UNDEFINED_CATALOG,
          "Catalog '" + names.getFirst() + "' does not exist",
          position,
          Suggestions.hint(names.getFirst(), tables.catalogs()),
          cause);
    }
    String inCatalog = names.size() == 3 ? names.getFirst() : tables.catalog();
    String inSchema =
        names.size() == 1 ? tables.schema() : names.get(Math.max(0, names.size() - 2));
    List<String> schemas = tables.schemas(inCatalog);
    if (names.size() > 1 && !tables.hasSchema(inCatalog, inSchema)) {
      return at(
          ErrorCode.UNDEFINED_SCHEMA,
          "Schema '" + inSchema + "' does not exist in " + inCatalog,
          position,
          Suggestions.hint(inSchema, Suggestions.join(schemas, tables.catalogs())),
          cause);
    }
    return at(
        ErrorCode.UNDEFINED_TABLE,
        "Table '"
            + name
            + "' does not exist"
            + (names.size() == 1 ? " in " + inCatalog + "." + inSchema : ""),
        position,
        Suggestions.hint(names.getLast(), tables.tables(inCatalog, inSchema)),
        cause);
  }

  /** A qualifier of a column that no table of FROM has. */
  private VarveException noTable(String name, SourcePosition position, Throwable cause) {
    Set<String> aliases = new LinkedHashSet<>();
    catalog.tables().forEach(table -> aliases.add(table.getQualifiedName().getLast()));
    return at(
        ErrorCode.UNDEFINED_TABLE,
        "FROM has no table '" + name + "'",
        position,
        Suggestions.hint(name, aliases),
        cause);
  }

  private VarveException noColumn(
      String name, @Nullable String table, SourcePosition position, Throwable cause) {
    List<String> columns = new ArrayList<>();
    Collection<CatalogRelation> tables = catalog.tables();
    for (CatalogRelation candidate : tables) {
      columns.addAll(candidate.getRowType().getFieldNames());
    }
    String place =
        table != null
            ? table
            : tables.size() == 1 ? tables.iterator().next().getQualifiedName().getLast() : null;
    return at(
        ErrorCode.UNDEFINED_COLUMN,
        "Column '" + name + "' not found" + (place == null ? "" : " in " + place),
        position,
        Suggestions.hint(name, columns),
        cause);
  }

  private VarveException noFunction(
      String name, String arguments, SourcePosition position, Throwable cause) {
    String function = name.replace("`", "").toLowerCase(Locale.ROOT);
    List<String> names =
        functions.getOperatorList().stream()
            .filter(SqlFunction.class::isInstance)
            .map(SqlOperator::getName)
            .map(known -> known.toLowerCase(Locale.ROOT))
            .filter(known -> !known.startsWith("$"))
            .distinct()
            .toList();
    return at(
        ErrorCode.UNDEFINED_FUNCTION,
        names.contains(function)
            ? "Function " + function + " does not take (" + typeNames(arguments) + ")"
            : "Function '" + function + "' does not exist",
        position,
        names.contains(function) ? null : Suggestions.hint(function, names),
        cause);
  }

  private VarveException cannotApply(
      String operator, String signature, SourcePosition position, Throwable cause) {
    boolean function = operator.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_');
    Matcher types = Pattern.compile("<([^<>]*)>").matcher(signature);
    List<String> names = new ArrayList<>();
    while (types.find()) {
      names.add(typeName(types.group(1)));
    }
    String text =
        names.size() == 2 && !function
            ? names.getFirst() + " " + operator + " " + names.getLast()
            : operator.toLowerCase(Locale.ROOT) + "(" + String.join(", ", names) + ")";
    return at(
        ErrorCode.TYPE_MISMATCH, "there is no " + text, position, "cast the arguments", cause);
  }

  private static String typeNames(String arguments) {
    Matcher types = Pattern.compile("<([^<>]*)>").matcher(arguments);
    List<String> names = new ArrayList<>();
    while (types.find()) {
      names.add(typeName(types.group(1)));
    }
    return String.join(", ", names);
  }

  /** Calcite's name of a type as PostgreSQL writes it. */
  private static String typeName(String calcite) {
    String name =
        calcite
            .replaceAll(" NOT NULL", "")
            .replaceAll(" CHARACTER SET .*", "")
            .strip()
            .toLowerCase(Locale.ROOT);
    if (name.startsWith("char") || name.startsWith("varchar")) {
      return "varchar";
    }
    return switch (name) {
      case "double" -> "double precision";
      case "null" -> "unknown";
      default ->
          name.startsWith("timestamp_with") || name.startsWith("timestamp with")
              ? "timestamp with time zone"
              : name.replaceAll("^timestamp\\(\\d+\\)", "timestamp").replace(", ", ",");
    };
  }

  private List<String> identifierAt(SourcePosition position) {
    IdentifierFinder finder = new IdentifierFinder(position);
    query.accept(finder);
    return finder.found == null ? List.of("?") : finder.found.names;
  }

  /** The longest identifier that covers a position. */
  private static final class IdentifierFinder extends SqlBasicVisitor<@Nullable Void> {
    private final SourcePosition position;
    private @Nullable SqlIdentifier found;

    IdentifierFinder(SourcePosition position) {
      this.position = position;
    }

    @Override
    public @Nullable Void visit(SqlIdentifier identifier) {
      SqlParserPos place = identifier.getParserPosition();
      boolean covers =
          place.getLineNum() == position.line()
              && place.getColumnNum() <= position.column()
              && position.column() <= Math.max(place.getEndColumnNum(), place.getColumnNum());
      if (covers && (found == null || identifier.names.size() > found.names.size())) {
        found = identifier;
      }
      return null;
    }
  }

  private static VarveException at(
      ErrorCode code,
      String message,
      @Nullable SourcePosition position,
      @Nullable String hint,
      Throwable cause) {
    return new VarveException(code, message, position, hint, cause);
  }

  private static String firstLine(@Nullable String message) {
    if (message == null || message.isBlank()) {
      return "no reason given";
    }
    String line = message.lines().findFirst().orElse(message);
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }

  private static String lower(String text) {
    return text.length() > 1 && Character.isLowerCase(text.charAt(1))
        ? Character.toLowerCase(text.charAt(0)) + text.substring(1)
        : text;
  }
}
