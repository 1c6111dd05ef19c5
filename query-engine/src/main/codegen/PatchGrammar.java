import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Changes Calcite's parser template where it has no extension point. Each change names the text it
 * expects, and the build fails if a newer template does not have it exactly that often.
 */
final class PatchGrammar {
  private static final String TEMPLATE = "templates/Parser.jj";

  private String text;

  private PatchGrammar(String text) {
    this.text = text;
  }

  /** Arguments: Calcite's codegen folder, our own, and the one to write both into. */
  public static void main(String[] args) throws IOException {
    Path calcite = Path.of(args[0]);
    Path own = Path.of(args[1]);
    Path target = Path.of(args[2]);
    PatchGrammar grammar = new PatchGrammar(Files.readString(calcite.resolve(TEMPLATE)));
    grammar.patch();
    write(target.resolve(TEMPLATE), grammar.text);
    copy(calcite, target, "default_config.fmpp");
    copy(calcite, target, "includes/compoundIdentifier.ftl");
    copy(own, target, "config.fmpp");
    copy(own, target, "includes/statements.ftl");
  }

  private static void copy(Path from, Path to, String file) throws IOException {
    write(to.resolve(file), Files.readString(from.resolve(file)));
  }

  private static void write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private void patch() {
    // Generated code is not ours to tidy.
    replace(1, "public class ${parser.class} extends", "@SuppressWarnings(\"all\")\npublic class ${parser.class} extends");

    // INTERVAL '1 day': the unit inside the string, as PostgreSQL writes it.
    replace(
        2,
        """
            p = SimpleStringLiteral()
            intervalQualifier = IntervalQualifier() {""",
        """
            p = SimpleStringLiteral()
            (
                LOOKAHEAD(2)
                intervalQualifier = IntervalQualifier()
            |
                { intervalQualifier = null; }
            ) {
                if (intervalQualifier == null) {
                    return IntervalText.parse(p, sign, s.end(this));
                }""");

    // FROM 'path/*.parquet'
    replace(
        1,
        """
        SqlNode ExtendedTableRef() :
        {
        }
        {
            UnusedExtension()
            {
                return null;
            }
        }
        """,
        """
        SqlNode ExtendedTableRef() :
        {
            final String path;
        }
        {
            path = SimpleStringLiteral()
            {
                return FileReference.identifier(path, getPos());
            }
        }
        """);

    // PostgreSQL's type names.
    replace(
        1,
        """
        typeName = CompoundIdentifier() {
            typeNameSpec = new SqlUserDefinedTypeNameSpec(typeName, s.end(this));
        }""",
        "typeNameSpec = NamedType()");
    replace(1, "final SqlIdentifier typeName;\nfinal Span s = Span.of();", "final Span s = Span.of();");

    // CHAR(n) is not padded; only literals have Calcite's CHAR type, which says "no type of its own".
    replace(1, "{ sqlTypeName = SqlTypeName.CHAR; }", "{ sqlTypeName = SqlTypeName.VARCHAR; }");

    // DATE_TRUNC with the zone to cut in.
    replace(
        1,
        """
            AddExpression(args, ExprContext.ACCEPT_SUB_QUERY)
        )
        <RPAREN> {
            return SqlLibraryOperators.DATE_TRUNC.createCall(s.end(this), args);""",
        """
            AddExpression(args, ExprContext.ACCEPT_SUB_QUERY)
        )
        [ <COMMA> AddExpression(args, ExprContext.ACCEPT_SUB_QUERY) ]
        <RPAREN> {
            return SqlLibraryOperators.DATE_TRUNC.createCall(s.end(this), args);""");

    // WITH TIME ZONE is an instant, as in PostgreSQL; no zone is stored.
    replace(
        1,
        "SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE : SqlTypeName.TIMESTAMP_TZ",
        "SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE : SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE");
    replace(
        1,
        "return SqlLiteral.createUnknown(\"TIMESTAMP WITH \" + (local ? \"LOCAL \" : \"\") + \"TIME ZONE\", p, s.end(this));",
        "return SqlLiteral.createUnknown(\"TIMESTAMP WITH LOCAL TIME ZONE\", p, s.end(this));");
  }

  private void replace(int times, String expected, String replacement) {
    int found = 0;
    StringBuilder result = new StringBuilder();
    int from = 0;
    for (int at = find(expected, 0); at >= 0; at = find(expected, from)) {
      result.append(text, from, at).append(replacement);
      from = at + length;
      found++;
    }
    if (found != times) {
      throw new IllegalStateException(
          "the parser template has this text " + found + " times instead of " + times + ":\n" + expected);
    }
    text = result.append(text.substring(from)).toString();
  }

  private int length;

  /** Finds a text whatever its indentation, and remembers the length it has there. */
  private int find(String expected, int from) {
    String pattern =
        expected
            .strip()
            .lines()
            .map(line -> java.util.regex.Pattern.quote(line.strip()))
            .collect(java.util.stream.Collectors.joining("\\s*\\n\\s*"));
    java.util.regex.Matcher matcher = java.util.regex.Pattern.compile(pattern).matcher(text);
    if (!matcher.find(from)) {
      return -1;
    }
    length = matcher.end() - matcher.start();
    return matcher.start();
  }
}
