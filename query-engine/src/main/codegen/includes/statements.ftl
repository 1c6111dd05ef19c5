/* Statements of this engine. Each production answers a Statement record; queries inside stay Calcite's trees. */

/** One statement, an optional semicolon, the end. */
Statement SingleStatement() :
{
    final Statement statement;
}
{
    statement = AnyStatement()
    ( <SEMICOLON> )*
    <EOF>
    { return statement; }
}

Statement AnyStatement() :
{
    final Statement statement;
    final SqlNode query;
}
{
    (
        statement = ExplainStatement()
    |
        statement = AnalyzeStatement()
    |
        statement = CreateStatement()
    |
        statement = DropStatement()
    |
        statement = InsertStatement()
    |
        statement = CopyStatement()
    |
        statement = CallStatement()
    |
        statement = ShowStatement()
    |
        statement = DescribeStatement()
    |
        statement = SetStatement()
    |
        statement = ResetStatement()
    |
        statement = UseStatement()
    |
        query = TopQuery() {
            statement = new Statement.Query(query, Positions.start(query));
        }
    )
    { return statement; }
}

/** A query, and nothing that merely looks like an expression. */
SqlNode TopQuery() :
{
    final SqlNode query;
}
{
    LOOKAHEAD({ Positions.startsQuery(getToken(1).kind) })
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    { return query; }
}

Statement ExplainStatement() :
{
    final SourcePosition position;
    final Statement statement;
    boolean analyze = false;
    boolean verbose = false;
}
{
    <EXPLAIN> { position = here(); }
    [ <ANALYZE> { analyze = true; } ]
    [ <VERBOSE> { verbose = true; } ]
    statement = AnyStatement()
    { return new Statement.Explain(analyze, verbose, statement, position); }
}

Statement AnalyzeStatement() :
{
    final SourcePosition position;
    final QualifiedName table;
}
{
    <ANALYZE> { position = here(); }
    [ LOOKAHEAD({ getToken(1).kind == TABLE }) <TABLE> ]
    table = Name()
    { return new Statement.Analyze(table, position); }
}

JAVACODE SourcePosition here() {
    return new SourcePosition(getToken(0).beginLine, getToken(0).beginColumn);
}

/** Of the last character that was read. */
JAVACODE SourcePosition end() {
    return new SourcePosition(getToken(0).endLine, getToken(0).endColumn);
}

JAVACODE SourcePosition next() {
    return SyntaxErrors.position(getToken(0), getToken(1));
}

QualifiedName Name() :
{
    final SqlIdentifier name;
}
{
    name = CompoundIdentifier()
    { return Positions.name(name); }
}

/** A column's name where no expression can stand: type names are fine here. */
String ColumnName() :
{
    final String name;
}
{
    (
        name = Identifier()
    |
        ( <DATE> | <TIME> | <TIMESTAMP> | <UUID> | <USER> | <PERIOD> ) { name = unquotedIdentifier(); }
    )
    { return name; }
}

boolean IfNotExists() :
{
}
{
    LOOKAHEAD(2)
    <IF> <NOT> <EXISTS> { return true; }
|
    { return false; }
}

boolean IfExists() :
{
}
{
    LOOKAHEAD(2)
    <IF> <EXISTS> { return true; }
|
    { return false; }
}

Statement CreateStatement() :
{
    final SourcePosition position;
    final QualifiedName name;
    final boolean ifNotExists;
    final Statement statement;
}
{
    <CREATE> { position = here(); }
    (
        LOOKAHEAD({ getToken(1).kind == VIEW || getToken(1).kind == OR })
        statement = ViewDefinition(position)
    |
        <SCHEMA> ifNotExists = IfNotExists() name = Name() {
            statement = new Statement.CreateSchema(name, ifNotExists, position);
        }
    |
        <TABLE> ifNotExists = IfNotExists() name = Name()
        statement = TableDefinition(name, ifNotExists, position)
    )
    { return statement; }
}

Statement TableDefinition(QualifiedName name, boolean ifNotExists, SourcePosition position) :
{
    final List<Statement.ColumnDefinition> columns = new ArrayList<Statement.ColumnDefinition>();
    final List<Statement.OrderKey> orderedBy = new ArrayList<Statement.OrderKey>();
    final Map<String, String> given = new LinkedHashMap<String, String>();
    SqlNode query = null;
}
{
    [
        <LPAREN> AddColumnDefinition(columns) ( <COMMA> AddColumnDefinition(columns) )* <RPAREN>
    ]
    [ <ORDERED> <BY> AddOrderKeys(orderedBy) ]
    [ LOOKAHEAD(2) <WITH> AddOptions(given) ]
    [ <AS> query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) ]
    {
        if (query == null) {
            if (columns.isEmpty()) {
                throw SyntaxErrors.at(next(), "a table needs columns or AS and a query");
            }
            return new Statement.CreateTable(name, columns, orderedBy, given, ifNotExists, position);
        }
        if (!columns.isEmpty()) {
            throw SyntaxErrors.at(columns.get(0).position(), "columns cannot be declared beside AS: the query gives them");
        }
        return new Statement.CreateTableAs(name, orderedBy, given, ifNotExists, query, position);
    }
}

Statement ViewDefinition(SourcePosition position) :
{
    boolean orReplace = false;
    final boolean ifNotExists;
    final QualifiedName name;
    List<QualifiedName> columns = Collections.emptyList();
    final SourcePosition start;
    final SqlNode query;
}
{
    [ <OR> <REPLACE> { orReplace = true; } ]
    <VIEW> ifNotExists = IfNotExists() name = Name()
    [ columns = InsertColumns() ]
    <AS> { start = next(); }
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    {
        if (orReplace && ifNotExists) {
            throw SyntaxErrors.at(position, "OR REPLACE and IF NOT EXISTS exclude one another");
        }
        return new Statement.CreateView(
            name, columns, orReplace, ifNotExists, query, "", start, end(), position);
    }
}

void AddColumnDefinition(List<Statement.ColumnDefinition> columns) :
{
    final SourcePosition position;
    final String name;
    final SqlDataTypeSpec type;
    boolean notNull = false;
}
{
    { position = next(); }
    name = ColumnName()
    type = DataType()
    [ <NOT> <NULL> { notNull = true; } | <NULL> ]
    { columns.add(new Statement.ColumnDefinition(name, TypeNames.dataType(type), TypeNames.textLength(type), notNull, position)); }
}

void AddOrderKeys(List<Statement.OrderKey> keys) :
{
}
{
    <LPAREN> AddOrderKey(keys) ( <COMMA> AddOrderKey(keys) )* <RPAREN>
}

void AddOrderKey(List<Statement.OrderKey> keys) :
{
    final SourcePosition position;
    final String column;
    boolean descending = false;
    boolean nullsFirst;
}
{
    { position = next(); }
    column = ColumnName()
    [ <ASC> | <DESC> { descending = true; } ]
    { nullsFirst = descending; }
    [
        <NULLS>
        ( <FIRST> { nullsFirst = true; } | <LAST> { nullsFirst = false; } )
    ]
    { keys.add(new Statement.OrderKey(column, descending, nullsFirst, position)); }
}

void AddOptions(Map<String, String> given) :
{
}
{
    <LPAREN> AddOption(given) ( <COMMA> AddOption(given) )* <RPAREN>
}

void AddOption(Map<String, String> given) :
{
    final SourcePosition position;
    final String name;
    String value = "true";
}
{
    { position = next(); }
    name = OptionName()
    [ [ <EQ> ] value = SettingValue() ]
    {
        if (given.put(name, value) != null) {
            throw SyntaxErrors.at(position, "option '" + name + "' is given twice");
        }
    }
}

/** Dots and case do not matter to an option: parquet.page_rows, "Page_Rows". */
String OptionName() :
{
    final StringBuilder name = new StringBuilder();
    String part;
}
{
    ( part = Identifier() | part = SimpleStringLiteral() ) { name.append(part); }
    ( <DOT> part = Identifier() { name.append('.').append(part); } )*
    { return name.toString().toLowerCase(Locale.ROOT); }
}

/** The text of a value in SET and WITH. */
String SettingValue() :
{
    final String value;
    final String rest;
}
{
    (
        value = SimpleStringLiteral()
    |
        <PLUS> ( <UNSIGNED_INTEGER_LITERAL> | <DECIMAL_NUMERIC_LITERAL> | <APPROX_NUMERIC_LITERAL> )
        { value = getToken(0).image; }
    |
        <MINUS> ( <UNSIGNED_INTEGER_LITERAL> | <DECIMAL_NUMERIC_LITERAL> | <APPROX_NUMERIC_LITERAL> )
        { value = "-" + getToken(0).image; }
    |
        ( <UNSIGNED_INTEGER_LITERAL> | <DECIMAL_NUMERIC_LITERAL> | <APPROX_NUMERIC_LITERAL> )
        { value = getToken(0).image; }
    |
        ( <TRUE> | <FALSE> | <ON> | <DEFAULT_> ) { value = unquotedIdentifier(); }
    |
        value = Identifier()
    |
        // bloom_columns = (a, b)
        <LPAREN> value = SettingValue() rest = MoreSettingValues() <RPAREN>
        { return value + rest; }
    )
    { return value; }
}

String MoreSettingValues() :
{
    final StringBuilder rest = new StringBuilder();
    String value;
}
{
    ( <COMMA> value = SettingValue() { rest.append(',').append(value); } )*
    { return rest.toString(); }
}

Statement DropStatement() :
{
    final SourcePosition position;
    final QualifiedName name;
    final boolean ifExists;
    boolean cascade = false;
    final Statement statement;
}
{
    <DROP> { position = here(); }
    (
        <SCHEMA> ifExists = IfExists() name = Name()
        [ <CASCADE> { cascade = true; } | <RESTRICT> ]
        { statement = new Statement.DropSchema(name, ifExists, cascade, position); }
    |
        <TABLE> ifExists = IfExists() name = Name()
        { statement = new Statement.DropTable(name, ifExists, position); }
    |
        <VIEW> ifExists = IfExists() name = Name()
        { statement = new Statement.DropView(name, ifExists, position); }
    )
    { return statement; }
}

Statement InsertStatement() :
{
    final SourcePosition position;
    final QualifiedName table;
    List<QualifiedName> columns = Collections.emptyList();
    final SqlNode source;
}
{
    <INSERT> { position = here(); }
    <INTO> table = Name()
    [
        LOOKAHEAD({ getToken(1).kind == LPAREN && !Positions.startsQuery(getToken(2).kind) })
        columns = InsertColumns()
    ]
    source = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    { return new Statement.Insert(table, columns, source, position); }
}

List<QualifiedName> InsertColumns() :
{
    final List<QualifiedName> columns = new ArrayList<QualifiedName>();
}
{
    <LPAREN> AddInsertColumn(columns) ( <COMMA> AddInsertColumn(columns) )* <RPAREN>
    { return columns; }
}

void AddInsertColumn(List<QualifiedName> columns) :
{
    final SourcePosition position;
    final String name;
}
{
    { position = next(); }
    name = ColumnName()
    { columns.add(new QualifiedName(Collections.singletonList(name), position)); }
}

Statement CopyStatement() :
{
    final SourcePosition position;
    final QualifiedName table;
    final SqlNode query;
    final String path;
    final Statement statement;
    final Map<String, String> given = new LinkedHashMap<String, String>();
}
{
    <COPY> { position = here(); }
    (
        <LPAREN> query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) <RPAREN>
        <TO> path = SimpleStringLiteral() CopyOptions(given)
        { statement = new Statement.CopyTo(query, path, given, position); }
    |
        table = Name()
        (
            <FROM> path = SimpleStringLiteral() CopyOptions(given)
            { statement = new Statement.CopyFrom(table, path, given, position); }
        |
            <TO> path = SimpleStringLiteral() CopyOptions(given)
            { statement = new Statement.CopyTo(Positions.allRows(table), path, given, position); }
        )
    )
    { return statement; }
}

void CopyOptions(Map<String, String> given) :
{
}
{
    [ [ <WITH> ] AddOptions(given) ]
}

Statement CallStatement() :
{
    final SourcePosition position;
    final QualifiedName procedure;
    final List<Statement.Argument> arguments = new ArrayList<Statement.Argument>();
}
{
    <CALL> { position = here(); }
    procedure = Name()
    <LPAREN>
    [ AddCallArgument(arguments) ( <COMMA> AddCallArgument(arguments) )* ]
    <RPAREN>
    { return new Statement.Call(procedure, arguments, position); }
}

void AddCallArgument(List<Statement.Argument> arguments) :
{
    final SourcePosition position;
    String name = null;
    final SqlNode value;
}
{
    { position = next(); }
    // The word TABLE is reserved, and the name of an argument that many procedures have.
    [
        LOOKAHEAD(2) <TABLE> <NAMED_ARGUMENT_ASSIGNMENT> { name = "table"; }
    |
        LOOKAHEAD(2) name = Identifier() <NAMED_ARGUMENT_ASSIGNMENT>
    ]
    value = NonIntervalLiteral()
    { arguments.add(new Statement.Argument(name, Positions.literal(value), position)); }
}

Statement ShowStatement() :
{
    final SourcePosition position;
    final Statement.ShowKind kind;
    Optional<QualifiedName> from = Optional.empty();
    Optional<String> like = Optional.empty();
    QualifiedName name;
    final String setting;
    String pattern;
}
{
    <SHOW> { position = here(); }
    (
        LOOKAHEAD(2)
        (
            <CATALOGS> { kind = Statement.ShowKind.CATALOGS; }
        |
            <SCHEMAS> { kind = Statement.ShowKind.SCHEMAS; }
            [ ( <FROM> | <IN> ) name = Name() { from = Optional.of(name); } ]
        |
            <TABLES> { kind = Statement.ShowKind.TABLES; }
            [ ( <FROM> | <IN> ) name = Name() { from = Optional.of(name); } ]
        |
            <VIEWS> { kind = Statement.ShowKind.VIEWS; }
            [ ( <FROM> | <IN> ) name = Name() { from = Optional.of(name); } ]
        |
            <COLUMNS> { kind = Statement.ShowKind.COLUMNS; }
            ( <FROM> | <IN> ) name = Name() { from = Optional.of(name); }
        |
            <FUNCTIONS> { kind = Statement.ShowKind.FUNCTIONS; }
        |
            ( <ALL> | <SETTINGS> ) { kind = Statement.ShowKind.SETTINGS; }
        )
        [ <LIKE> pattern = SimpleStringLiteral() { like = Optional.of(pattern); } ]
    |
        name = Name() {
            kind = Statement.ShowKind.SETTING;
            from = Optional.of(name);
        }
    )
    { return new Statement.Show(kind, from, like, position); }
}

Statement DescribeStatement() :
{
    final SourcePosition position;
    final QualifiedName table;
}
{
    ( <DESCRIBE> | <DESC> ) { position = here(); }
    [ LOOKAHEAD({ getToken(1).kind == TABLE }) <TABLE> ]
    table = Name()
    { return new Statement.Describe(table, position); }
}

Statement SetStatement() :
{
    final SourcePosition position;
    final String name;
    final String value;
}
{
    <SET> { position = here(); }
    [ LOOKAHEAD({ getToken(1).kind == SESSION && getToken(2).kind != DOT && getToken(2).kind != EQ && getToken(2).kind != TO }) <SESSION> ]
    name = OptionName()
    ( <EQ> | <TO> )
    value = SettingValue()
    { return new Statement.SetSetting(name, value, position); }
}

Statement ResetStatement() :
{
    final SourcePosition position;
    final String name;
}
{
    <RESET> { position = here(); }
    (
        <ALL> { return new Statement.ResetSetting(Optional.empty(), position); }
    |
        name = OptionName() { return new Statement.ResetSetting(Optional.of(name), position); }
    )
}

Statement UseStatement() :
{
    final SourcePosition position;
    final QualifiedName name;
}
{
    <USE> { position = here(); }
    name = Name()
    { return new Statement.Use(name, position); }
}

/* Expressions. */

/** PostgreSQL's cast: value::type. */
void DoubleColonCast(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlDataTypeSpec type;
}
{
    <DOUBLE_COLON> {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.INFIX_CAST, getPos()));
    }
    type = DataType() { list.add(type); }
}

SqlTypeNameSpec NamedType() :
{
    final SqlIdentifier name;
    final int precision;
}
{
    name = CompoundIdentifier()
    precision = PrecisionOpt()
    { return TypeNames.resolve(name, precision, name.getParserPosition()); }
}
