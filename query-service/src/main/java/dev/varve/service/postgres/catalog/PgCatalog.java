package dev.varve.service.postgres.catalog;

import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.postgres.SqlTokens;
import dev.varve.service.postgres.SqlTokens.Kind;
import dev.varve.service.postgres.SqlTokens.Token;
import dev.varve.service.postgres.WireTypes;
import dev.varve.service.query.CatalogListing;
import dev.varve.service.query.CatalogListing.Relation;
import dev.varve.service.query.CatalogListing.SchemaName;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.h2.Driver;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries about {@code pg_catalog} for one connection: the database in memory is made at
 * the first of them and filled anew for each with what the user can see of the session's catalog.
 * Its statements run as a user who can read these tables and nothing else. Confined to the
 * connection's thread.
 */
public final class PgCatalog implements AutoCloseable {
  private static final int FIRST_OID = 16_384;
  private static final int PG_CATALOG_OID = 11;
  private static final int PG_CLASS_OID = 1259;
  private static final int OWNER_OID = 10;
  private static final int QUERY_SECONDS = 30;
  private static final int MAX_ROWS = 1_000_000;
  private static final Set<String> FUNCTIONS =
      Set.of(
          "version",
          "current_database",
          "current_schema",
          "current_schemas",
          "current_catalog",
          "current_setting");

  private final Session session;
  private final Map<String, String> settings;
  private final Map<String, Integer> oids = new HashMap<>();
  private @Nullable Connection owner;
  private @Nullable Connection reader;

  /**
   * @param settings of PostgreSQL that are not the engine's
   */
  public PgCatalog(Session session, Map<String, String> settings) {
    this.session = session;
    this.settings = Map.copyOf(settings);
  }

  /**
   * Whether a statement is a query about PostgreSQL's catalog, or its functions without a table.
   */
  public static boolean answers(List<Token> tokens) {
    if (tokens.isEmpty() || !(tokens.get(0).isWord("select") || tokens.get(0).isWord("with"))) {
      return false;
    }
    boolean tables = false;
    boolean functions = false;
    for (Token token : tokens) {
      if (token.kind() == Kind.WORD) {
        String word = token.folded();
        if (word.startsWith("pg_") || word.equals("_pg_expandarray")) {
          return true;
        }
        tables |= word.equals("from");
        functions |= FUNCTIONS.contains(word);
      }
    }
    return functions && !tables;
  }

  /** The columns of what a query answers. */
  public Schema describe(String sql) {
    return isAboutKeys(sql)
        ? keySchema(sql)
        : isAboutWords(sql) ? noWords().schema() : ask(sql, List.of(), true).schema();
  }

  public Batch query(String sql, List<? extends @Nullable Object> values) {
    return isAboutKeys(sql)
        ? Batch.empty(keySchema(sql))
        : isAboutWords(sql) ? noWords() : ask(sql, values, false);
  }

  /** Which words are reserved here and not in the standard, asked with a list of hundreds. */
  private static boolean isAboutWords(String sql) {
    return SqlTokens.significant(sql).stream().anyMatch(t -> t.isWord("pg_get_keywords"));
  }

  private static Batch noWords() {
    ColumnBuilder none = ColumnBuilder.of(DataType.VARCHAR, 1);
    none.append("");
    return new Batch(Schema.of(Field.of("string_agg", DataType.VARCHAR)), List.of(none.build()), 1);
  }

  /** Questions about keys and indexes expand arrays as no other database does; there are none. */
  private static boolean isAboutKeys(String sql) {
    boolean constraints = false;
    boolean series = false;
    for (Token token : SqlTokens.significant(sql)) {
      if (token.isWord("_pg_expandarray")) {
        return true;
      }
      constraints |= token.isWord("pg_constraint");
      series |= token.isWord("generate_series");
    }
    return constraints && series;
  }

  private static Schema keySchema(String sql) {
    return new Schema(
        CatalogSql.names(sql).stream().map(name -> Field.of(name, DataType.VARCHAR)).toList());
  }

  private Batch ask(String sql, List<? extends @Nullable Object> values, boolean columnsOnly) {
    try {
      Connection database = open();
      if (!columnsOnly) {
        fill(sql.toLowerCase(Locale.ROOT));
      }
      try (PreparedStatement statement = database.prepareStatement(CatalogSql.translate(sql))) {
        statement.setQueryTimeout(QUERY_SECONDS);
        statement.setMaxRows(MAX_ROWS);
        ResultSetMetaData columns = statement.getMetaData();
        Schema schema = schema(columns);
        if (columnsOnly) {
          return Batch.empty(schema);
        }
        for (int i = 0; i < values.size(); i++) {
          statement.setObject(i + 1, values.get(i));
        }
        try (ResultSet rows = statement.executeQuery()) {
          return batch(schema, rows);
        }
      }
    } catch (SQLException e) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED,
          "this question about pg_catalog is not understood: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          e);
    }
  }

  private static Schema schema(ResultSetMetaData columns) throws SQLException {
    List<Field> fields = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      DataType type =
          switch (columns.getColumnType(i)) {
            case Types.BOOLEAN, Types.BIT -> DataType.BOOLEAN;
            case Types.SMALLINT, Types.INTEGER, Types.TINYINT -> DataType.INTEGER;
            case Types.BIGINT -> DataType.BIGINT;
            case Types.REAL -> DataType.REAL;
            case Types.DOUBLE, Types.FLOAT -> DataType.DOUBLE;
            default -> DataType.VARCHAR;
          };
      fields.add(Field.of(columns.getColumnLabel(i), type));
    }
    return new Schema(fields);
  }

  private static Batch batch(Schema schema, ResultSet rows) throws SQLException {
    List<ColumnBuilder> builders =
        schema.fields().stream().map(field -> ColumnBuilder.of(field.type(), 16)).toList();
    int count = 0;
    while (rows.next()) {
      for (int i = 0; i < builders.size(); i++) {
        Object value =
            switch (schema.type(i).kind()) {
              case BOOLEAN -> rows.getBoolean(i + 1);
              case INTEGER -> rows.getInt(i + 1);
              case BIGINT -> rows.getLong(i + 1);
              case REAL -> rows.getFloat(i + 1);
              case DOUBLE -> rows.getDouble(i + 1);
              default -> rows.getString(i + 1);
            };
        builders.get(i).append(rows.wasNull() ? null : value);
      }
      count++;
    }
    return new Batch(schema, builders.stream().map(ColumnBuilder::build).toList(), count);
  }

  private Connection open() throws SQLException {
    Connection known = reader;
    if (known != null) {
      return known;
    }
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    String name = HexFormat.of().formatHex(secret);
    String url =
        "jdbc:h2:mem:pg-" + name + ";DATABASE_TO_LOWER=TRUE;NON_KEYWORDS=KEY,VALUE,USER,DAY";
    Connection made = connect(url, "owner", name);
    owner = made;
    try (Statement statement = made.createStatement()) {
      for (String sql : CatalogTables.statements()) {
        statement.execute(sql);
      }
      statement.execute("CREATE USER reader PASSWORD '" + name + "'");
      statement.execute("GRANT SELECT ON SCHEMA pg_catalog TO reader");
    }
    fillTypes(made);
    known = connect(url, "reader", name);
    try (Statement statement = known.createStatement()) {
      statement.execute("SET SCHEMA_SEARCH_PATH pg_catalog");
    }
    reader = known;
    return known;
  }

  private static Connection connect(String url, String user, String password) throws SQLException {
    Properties login = new Properties();
    login.setProperty("user", user);
    login.setProperty("password", password);
    return Driver.load().connect(url, login);
  }

  private static void fillTypes(Connection database) throws SQLException {
    insert(database, "pg_am (oid, amname)", List.of(List.of(2, "heap")));
    insert(database, "pg_collation (oid, collname)", List.of(List.of(100, "default")));
    insert(database, "pg_tablespace (oid, spcname)", List.of(List.of(1663, "pg_default")));
    List<List<? extends @Nullable Object>> types = new ArrayList<>();
    for (Object[] type :
        new Object[][] {
          {WireTypes.BOOL, "bool", 1, "B"},
          {WireTypes.BYTEA, "bytea", -1, "U"},
          {WireTypes.NAME, "name", 64, "S"},
          {WireTypes.INT8, "int8", 8, "N"},
          {WireTypes.INT2, "int2", 2, "N"},
          {WireTypes.INT4, "int4", 4, "N"},
          {WireTypes.TEXT, "text", -1, "S"},
          {WireTypes.OID, "oid", 4, "N"},
          {WireTypes.FLOAT4, "float4", 4, "N"},
          {WireTypes.FLOAT8, "float8", 8, "N"},
          {WireTypes.UNKNOWN, "unknown", -2, "X"},
          {WireTypes.BPCHAR, "bpchar", -1, "S"},
          {WireTypes.VARCHAR, "varchar", -1, "S"},
          {WireTypes.DATE, "date", 4, "D"},
          {WireTypes.TIME, "time", 8, "D"},
          {WireTypes.TIMESTAMP, "timestamp", 8, "D"},
          {WireTypes.TIMESTAMPTZ, "timestamptz", 8, "D"},
          {WireTypes.INTERVAL, "interval", 16, "T"},
          {WireTypes.NUMERIC, "numeric", -1, "N"},
          {WireTypes.UUID, "uuid", 16, "U"}
        }) {
      types.add(List.of(type[0], type[1], type[2], type[3], type[1] + "in"));
    }
    insert(database, "pg_type (oid, typname, typlen, typcategory, typinput)", types);
  }

  private static void insert(
      Connection database, String target, List<? extends List<? extends @Nullable Object>> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    String marks = ", ?".repeat(rows.get(0).size()).substring(2);
    try (PreparedStatement statement =
        database.prepareStatement("INSERT INTO pg_catalog." + target + " VALUES (" + marks + ")")) {
      for (List<? extends @Nullable Object> row : rows) {
        for (int i = 0; i < row.size(); i++) {
          statement.setObject(i + 1, row.get(i));
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Tables that a query does not mention stay as they are. */
  private void fill(String question) throws SQLException {
    Connection database = owner;
    if (database == null) {
      throw new IllegalStateException("the catalog is filled after it was opened");
    }
    try (Statement statement = database.createStatement()) {
      for (String table :
          List.of(
              "varve_session",
              "pg_namespace",
              "pg_class",
              "pg_attribute",
              "pg_database",
              "pg_roles",
              "pg_user",
              "pg_settings",
              "pg_tables",
              "pg_views")) {
        statement.execute("TRUNCATE TABLE pg_catalog." + table);
      }
    }
    String user = session.principal().name();
    insert(
        database,
        "varve_session (datname, nspname, rolname)",
        List.of(List.of(session.catalog(), session.schema(), user)));
    insert(database, "pg_roles (oid, rolname)", List.of(List.of(OWNER_OID, user)));
    insert(database, "pg_user (usename, usesysid)", List.of(List.of(user, OWNER_OID)));
    CatalogListing listing = new CatalogListing(session);
    List<List<Object>> databases = new ArrayList<>();
    for (String catalog : listing.catalogs()) {
      databases.add(List.of(oid("database " + catalog), catalog));
    }
    insert(database, "pg_database (oid, datname)", databases);
    fillSettings(database);
    fillRelations(database, listing, question);
  }

  private void fillSettings(Connection database) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    settings.forEach((name, value) -> rows.add(List.of(name, value)));
    EngineSettings.all()
        .forEach(
            setting ->
                rows.add(List.of(setting.name(), session.settings().get(setting).toString())));
    insert(database, "pg_settings (name, setting)", rows);
  }

  private void fillRelations(Connection database, CatalogListing listing, String question)
      throws SQLException {
    boolean relations =
        question.contains("pg_class")
            || question.contains("pg_tables")
            || question.contains("pg_views")
            || question.contains("regclass")
            || question.contains("pg_get_viewdef")
            || question.contains("pg_attribute");
    List<List<Object>> namespaces = new ArrayList<>();
    namespaces.add(List.of(PG_CATALOG_OID, "pg_catalog"));
    List<List<Object>> classes = new ArrayList<>();
    classes.add(List.of(PG_CLASS_OID, "pg_class", PG_CATALOG_OID, "r", 0));
    List<List<Object>> attributes = new ArrayList<>();
    List<List<Object>> tables = new ArrayList<>();
    List<List<@Nullable Object>> views = new ArrayList<>();
    String user = session.principal().name();
    for (SchemaName schema : listing.schemas(session.catalog(), null)) {
      int namespace = oid("schema " + schema);
      namespaces.add(List.of(namespace, schema.schema()));
      for (Relation relation :
          relations ? listing.relations(schema, null, List.of()) : List.<Relation>of()) {
        int oid = oid("relation " + relation);
        Schema columns =
            question.contains("pg_attribute") ? listing.columns(relation) : Schema.EMPTY;
        boolean view = relation.type().equals(CatalogListing.VIEW);
        classes.add(List.of(oid, relation.name(), namespace, view ? "v" : "r", columns.size()));
        addColumns(attributes, oid, columns);
        if (view) {
          views.add(
              java.util.Arrays.asList(
                  oid,
                  schema.schema(),
                  relation.name(),
                  user,
                  question.contains("pg_get_viewdef") || question.contains("pg_views")
                      ? definition(relation)
                      : null));
        } else {
          tables.add(List.of(schema.schema(), relation.name(), user));
        }
      }
    }
    insert(database, "pg_namespace (oid, nspname)", namespaces);
    insert(database, "pg_class (oid, relname, relnamespace, relkind, relnatts)", classes);
    insert(
        database,
        "pg_attribute (attrelid, attname, atttypid, atttypmod, attlen, attnum, attnotnull)",
        attributes);
    insert(database, "pg_tables (schemaname, tablename, tableowner)", tables);
    insert(database, "pg_views (oid, schemaname, viewname, viewowner, definition)", views);
  }

  private static void addColumns(List<List<Object>> attributes, int oid, Schema columns) {
    for (int i = 0; i < columns.size(); i++) {
      DataType type = columns.type(i);
      attributes.add(
          List.of(
              oid,
              columns.field(i).name(),
              WireTypes.oid(type),
              WireTypes.modifier(type),
              WireTypes.length(type),
              i + 1,
              !columns.field(i).nullable()));
    }
  }

  private @Nullable String definition(Relation view) {
    String sql =
        "SELECT view_definition FROM \""
            + view.catalog().replace("\"", "\"\"")
            + "\".information_schema.views WHERE table_schema = ? AND table_name = ?";
    try (QueryHandle handle = session.submit(sql, List.of(view.schema(), view.name()))) {
      Batch batch = handle.nextBatch();
      return batch == null || batch.rowCount() == 0
          ? null
          : String.valueOf(batch.column(0).value(0));
    }
  }

  /** The same for the same thing as long as the connection lasts. */
  private int oid(String what) {
    return oids.computeIfAbsent(what, name -> FIRST_OID + oids.size());
  }

  @Override
  public void close() {
    for (Connection connection : new @Nullable Connection[] {reader, owner}) {
      if (connection != null) {
        try {
          connection.close();
        } catch (SQLException e) {
          throw new IllegalStateException("a database in memory does not close", e);
        }
      }
    }
  }
}
