package dev.varve.engine.statement;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Setting;
import dev.varve.engine.config.Settings;
import dev.varve.engine.connector.MemoryTable;
import dev.varve.engine.port.AccessControl.Privilege;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.source.ViewDefinition;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** SHOW and DESCRIBE. */
final class ShowStatements {
  private final StatementServices services;

  ShowStatements(StatementServices services) {
    this.services = services;
  }

  Prepared show(Statement.Show statement, StatementContext context) {
    return switch (statement.kind()) {
      case CATALOGS -> names("catalog", services.catalogs().names(), statement);
      case SCHEMAS -> {
        String catalog = statement.from().map(QualifiedName::last).orElse(context.catalog());
        yield placed(
            statement, () -> names("schema", services.catalogs().schemas(catalog), statement));
      }
      case TABLES -> names("table", services.catalogs()::tables, statement, context);
      case VIEWS -> names("view", services.catalogs()::views, statement, context);
      case COLUMNS -> describe(statement.from().orElseThrow(), context, statement.like());
      case FUNCTIONS -> names("function", services.functionNames(), statement);
      case SETTINGS -> settings(statement, context);
      case SETTING -> setting(statement, context);
    };
  }

  Prepared describe(Statement.Describe statement, StatementContext context) {
    return describe(statement.table(), context, Optional.empty());
  }

  /** Lists what a schema has. */
  private interface Listing {
    List<String> of(String catalog, String schema);
  }

  private Prepared names(
      String column, Listing listing, Statement.Show statement, StatementContext context) {
    ObjectName schema =
        statement
            .from()
            .map(context::resolveSchema)
            .orElse(ObjectName.schema(context.catalog(), context.schema()));
    return placed(
        statement,
        () -> {
          if (!services.catalogs().hasSchema(schema.catalog(), schema.schema())) {
            throw MissingTable.error(
                services.catalogs(), new ObjectName(schema.catalog(), schema.schema(), ""));
          }
          return names(column, listing.of(schema.catalog(), schema.schema()), statement);
        });
  }

  private Prepared describe(QualifiedName name, StatementContext context, Optional<String> like) {
    context.check(Privilege.SELECT, context.resolve(name));
    Optional<ViewDefinition> view = context.view(name);
    Schema schema = view.isPresent() ? view.get().columns() : context.table(name).schema();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    List<String> order = view.isPresent() ? List.of() : context.table(name).declaredOrdering();
    for (Field field : schema.fields()) {
      if (matches(field.name(), like)) {
        rows.add(
            java.util.Arrays.asList(
                field.name(),
                field.type().toString(),
                field.nullable() ? "YES" : "NO",
                orderOf(field.name(), order)));
      }
    }
    return answer(
        Schema.of(
            Field.of("column", DataType.VARCHAR),
            Field.of("type", DataType.VARCHAR),
            Field.of("nullable", DataType.VARCHAR),
            Field.of("ordered_by", DataType.VARCHAR)),
        rows);
  }

  /** {@code 1 ASC} for the first key of the table's ordering; null for a column that is none. */
  private static @Nullable String orderOf(String column, List<String> order) {
    for (int i = 0; i < order.size(); i++) {
      String key = order.get(i);
      if (key.startsWith(column + " ")) {
        return (i + 1) + key.substring(column.length());
      }
    }
    return null;
  }

  private static Prepared settings(Statement.Show statement, StatementContext context) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Setting<?> setting : EngineSettings.all()) {
      if (matches(setting.name(), statement.like())) {
        rows.add(
            List.of(
                setting.name(),
                context.session().settings().get(setting).toString(),
                setting.unit(),
                setting.description()));
      }
    }
    return answer(
        Schema.of(
            Field.of("name", DataType.VARCHAR),
            Field.of("value", DataType.VARCHAR),
            Field.of("unit", DataType.VARCHAR),
            Field.of("description", DataType.VARCHAR)),
        rows);
  }

  private static Prepared setting(Statement.Show statement, StatementContext context) {
    return placed(
        statement,
        () -> {
          Setting<?> setting = Settings.find(statement.from().orElseThrow().toString());
          return answer(
              Schema.of(Field.of(setting.name(), DataType.VARCHAR)),
              List.of(List.of(context.session().settings().get(setting).toString())));
        });
  }

  private interface Answering {
    Prepared get();
  }

  private static Prepared placed(Statement.Show statement, Answering answering) {
    try {
      return answering.get();
    } catch (VarveException e) {
      throw e.at(statement.from().map(QualifiedName::position).orElse(statement.position()));
    }
  }

  private static Prepared names(String column, List<String> names, Statement.Show statement) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    names.stream().filter(n -> matches(n, statement.like())).forEach(n -> rows.add(List.of(n)));
    return answer(Schema.of(Field.of(column, DataType.VARCHAR)), rows);
  }

  private static Prepared answer(Schema schema, List<List<@Nullable Object>> rows) {
    return new Prepared.Answer("SHOW", MemoryTable.toBatch(schema, rows), Optional.empty());
  }

  private static boolean matches(String name, Optional<String> like) {
    return like.map(
            pattern -> {
              StringBuilder regex = new StringBuilder();
              pattern
                  .codePoints()
                  .forEach(
                      c ->
                          regex.append(
                              c == '%'
                                  ? ".*"
                                  : c == '_' ? "." : Pattern.quote(Character.toString(c))));
              return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(name).matches();
            })
        .orElse(true);
  }
}
