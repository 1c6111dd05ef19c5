package dev.varve.service.flight;

import com.google.protobuf.Message;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.query.CatalogListing;
import dev.varve.service.query.CatalogListing.Relation;
import dev.varve.service.query.CatalogListing.SchemaName;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.sql.FlightSqlProducer;
import org.apache.arrow.flight.sql.SqlInfoBuilder;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetCatalogs;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetCrossReference;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetDbSchemas;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetExportedKeys;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetImportedKeys;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetPrimaryKeys;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetSqlInfo;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetTableTypes;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetTables;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandGetXdbcTypeInfo;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;

/**
 * What clients ask about catalogs, schemas, tables, types and the server. Its schemas are Flight
 * SQL's own; tables have no keys, so these answers are empty. Safe for concurrent use.
 */
abstract class MetadataProducer implements FlightSqlProducer {
  /** Tables in a batch of their list; each may bring the schema of its columns. */
  private static final int TABLES_TOGETHER = 64;

  private final BufferAllocator allocator;
  private final SqlInfoBuilder facts;

  MetadataProducer(ServiceConfiguration configuration, BufferAllocator allocator) {
    this.allocator = allocator;
    this.facts = ServerFacts.of(configuration.maxSqlLength());
  }

  private static FlightInfo flight(Schema schema, Message command, FlightDescriptor descriptor) {
    return SqlProducer.flight(schema, command, descriptor);
  }

  /** One batch; none where there are no rows, since drivers keep what belongs to an empty one. */
  private void answer(Schema schema, ServerStreamListener client, Consumer<VectorSchemaRoot> fill) {
    new PacedStream(schema, allocator, client) {
      @Override
      void write(VectorSchemaRoot root) {
        fill.accept(root);
        if (root.getRowCount() > 0) {
          put();
        }
      }
    }.start("flight-metadata");
  }

  private static void set(VectorSchemaRoot root, String column, int row, String value) {
    ((VarCharVector) root.getVector(column)).setSafe(row, new Text(value));
  }

  @Override
  public FlightInfo getFlightInfoCatalogs(
      CommandGetCatalogs command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_CATALOGS_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamCatalogs(CallContext context, ServerStreamListener client) {
    CallerMiddleware caller = CallerMiddleware.of(context);
    answer(
        Schemas.GET_CATALOGS_SCHEMA,
        client,
        root -> {
          List<String> catalogs = new CatalogListing(caller.session()).catalogs();
          for (int row = 0; row < catalogs.size(); row++) {
            set(root, "catalog_name", row, catalogs.get(row));
          }
          root.setRowCount(catalogs.size());
        });
  }

  @Override
  public FlightInfo getFlightInfoSchemas(
      CommandGetDbSchemas command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_SCHEMAS_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamSchemas(
      CommandGetDbSchemas command, CallContext context, ServerStreamListener client) {
    CallerMiddleware caller = CallerMiddleware.of(context);
    answer(
        Schemas.GET_SCHEMAS_SCHEMA,
        client,
        root -> {
          List<SchemaName> schemas =
              new CatalogListing(caller.session())
                  .schemas(
                      command.hasCatalog() ? command.getCatalog() : null,
                      command.hasDbSchemaFilterPattern()
                          ? command.getDbSchemaFilterPattern()
                          : null);
          for (int row = 0; row < schemas.size(); row++) {
            set(root, "catalog_name", row, schemas.get(row).catalog());
            set(root, "db_schema_name", row, schemas.get(row).schema());
          }
          root.setRowCount(schemas.size());
        });
  }

  private static Schema tablesSchema(CommandGetTables command) {
    return command.getIncludeSchema()
        ? Schemas.GET_TABLES_SCHEMA
        : Schemas.GET_TABLES_SCHEMA_NO_SCHEMA;
  }

  @Override
  public FlightInfo getFlightInfoTables(
      CommandGetTables command, CallContext context, FlightDescriptor descriptor) {
    return flight(tablesSchema(command), command, descriptor);
  }

  @Override
  public void getStreamTables(
      CommandGetTables command, CallContext context, ServerStreamListener client) {
    CallerMiddleware caller = CallerMiddleware.of(context);
    new PacedStream(tablesSchema(command), allocator, client) {
      private volatile boolean cancelled;

      @Override
      void cancelled() {
        cancelled = true;
      }

      @Override
      void write(VectorSchemaRoot root) {
        CatalogListing listing = new CatalogListing(caller.session());
        List<SchemaName> schemas =
            listing.schemas(
                command.hasCatalog() ? command.getCatalog() : null,
                command.hasDbSchemaFilterPattern() ? command.getDbSchemaFilterPattern() : null);
        ZoneId zone = Execution.zone(caller.session());
        int rows = 0;
        for (SchemaName schema : schemas) {
          for (Relation relation :
              listing.relations(
                  schema,
                  command.hasTableNameFilterPattern() ? command.getTableNameFilterPattern() : null,
                  command.getTableTypesList())) {
            if (cancelled) {
              return;
            }
            set(root, "catalog_name", rows, relation.catalog());
            set(root, "db_schema_name", rows, relation.schema());
            set(root, "table_name", rows, relation.name());
            set(root, "table_type", rows, relation.type());
            if (command.getIncludeSchema()) {
              Schema columns = Columns.of(relation, listing.columns(relation), zone);
              ((VarBinaryVector) root.getVector("table_schema"))
                  .setSafe(rows, Columns.serialized(columns).toByteArray());
            }
            if (++rows == TABLES_TOGETHER) {
              root.setRowCount(rows);
              put();
              root.clear();
              rows = 0;
            }
          }
        }
        if (rows > 0) {
          root.setRowCount(rows);
          put();
        }
      }
    }.start("flight-tables");
  }

  @Override
  public FlightInfo getFlightInfoTableTypes(
      CommandGetTableTypes command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_TABLE_TYPES_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamTableTypes(CallContext context, ServerStreamListener client) {
    answer(
        Schemas.GET_TABLE_TYPES_SCHEMA,
        client,
        root -> {
          set(root, "table_type", 0, CatalogListing.TABLE);
          set(root, "table_type", 1, CatalogListing.VIEW);
          root.setRowCount(2);
        });
  }

  @Override
  public FlightInfo getFlightInfoTypeInfo(
      CommandGetXdbcTypeInfo command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_TYPE_INFO_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamTypeInfo(
      CommandGetXdbcTypeInfo command, CallContext context, ServerStreamListener client) {
    answer(
        Schemas.GET_TYPE_INFO_SCHEMA,
        client,
        root -> TypeInfo.write(root, command.hasDataType() ? command.getDataType() : 0));
  }

  @Override
  public FlightInfo getFlightInfoSqlInfo(
      CommandGetSqlInfo command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_SQL_INFO_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamSqlInfo(
      CommandGetSqlInfo command, CallContext context, ServerStreamListener client) {
    facts.send(command.getInfoList(), client);
  }

  private void answerNone(Schema schema, ServerStreamListener client) {
    answer(schema, client, root -> root.setRowCount(0));
  }

  @Override
  public FlightInfo getFlightInfoPrimaryKeys(
      CommandGetPrimaryKeys command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_PRIMARY_KEYS_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamPrimaryKeys(
      CommandGetPrimaryKeys command, CallContext context, ServerStreamListener client) {
    answerNone(Schemas.GET_PRIMARY_KEYS_SCHEMA, client);
  }

  @Override
  public FlightInfo getFlightInfoExportedKeys(
      CommandGetExportedKeys command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_EXPORTED_KEYS_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamExportedKeys(
      CommandGetExportedKeys command, CallContext context, ServerStreamListener client) {
    answerNone(Schemas.GET_EXPORTED_KEYS_SCHEMA, client);
  }

  @Override
  public FlightInfo getFlightInfoImportedKeys(
      CommandGetImportedKeys command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_IMPORTED_KEYS_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamImportedKeys(
      CommandGetImportedKeys command, CallContext context, ServerStreamListener client) {
    answerNone(Schemas.GET_IMPORTED_KEYS_SCHEMA, client);
  }

  @Override
  public FlightInfo getFlightInfoCrossReference(
      CommandGetCrossReference command, CallContext context, FlightDescriptor descriptor) {
    return flight(Schemas.GET_CROSS_REFERENCE_SCHEMA, command, descriptor);
  }

  @Override
  public void getStreamCrossReference(
      CommandGetCrossReference command, CallContext context, ServerStreamListener client) {
    answerNone(Schemas.GET_CROSS_REFERENCE_SCHEMA, client);
  }

  @Override
  public void close() {}
}
