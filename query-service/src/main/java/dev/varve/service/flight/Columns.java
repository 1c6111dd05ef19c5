package dev.varve.service.flight;

import com.google.protobuf.ByteString;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.engine.type.TypeKind;
import dev.varve.service.arrow.ArrowTypes;
import dev.varve.service.query.CatalogListing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flight.sql.FlightSqlColumnMetadata;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Schemas as Flight SQL describes them: Arrow's, with SQL's names of the types beside. */
final class Columns {
  private Columns() {}

  static org.apache.arrow.vector.types.pojo.Schema of(Schema columns, ZoneId zone) {
    List<Field> fields = new ArrayList<>();
    for (dev.varve.engine.type.Field column : columns.fields()) {
      fields.add(
          field(
              column.name(),
              ArrowTypes.of(column.type(), zone),
              column.nullable(),
              metadata(column.type())));
    }
    return new org.apache.arrow.vector.types.pojo.Schema(fields);
  }

  /** A table's columns; every one of them can be in a WHERE. */
  static org.apache.arrow.vector.types.pojo.Schema of(
      CatalogListing.Relation table, Schema columns, ZoneId zone) {
    List<Field> fields = new ArrayList<>();
    for (dev.varve.engine.type.Field column : columns.fields()) {
      fields.add(
          field(
              column.name(),
              ArrowTypes.of(column.type(), zone),
              column.nullable(),
              metadata(column.type())
                  .catalogName(table.catalog())
                  .schemaName(table.schema())
                  .tableName(table.name())
                  .isReadOnly(false)));
    }
    return new org.apache.arrow.vector.types.pojo.Schema(fields);
  }

  /**
   * A statement's parameters, which may all be null. Times are in milliseconds: the published JDBC
   * driver sends those whatever is asked for. Other clients send what they have.
   */
  static org.apache.arrow.vector.types.pojo.Schema ofParameters(
      List<DataType> parameters, ZoneId zone) {
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      DataType type = parameters.get(i);
      ArrowType arrow =
          switch (type.kind()) {
            case NULL -> new ArrowType.Utf8();
            case TIME -> new ArrowType.Time(TimeUnit.MILLISECOND, 32);
            case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MILLISECOND, null);
            case TIMESTAMPTZ -> new ArrowType.Timestamp(TimeUnit.MILLISECOND, zone.getId());
            default -> ArrowTypes.of(type, zone);
          };
      fields.add(field("$" + (i + 1), arrow, true, metadata(type)));
    }
    return new org.apache.arrow.vector.types.pojo.Schema(fields);
  }

  private static Field field(
      String name, ArrowType type, boolean nullable, FlightSqlColumnMetadata.Builder metadata) {
    return new Field(
        name,
        new FieldType(
            nullable || type instanceof ArrowType.Null,
            type,
            null,
            metadata.build().getMetadataMap()),
        null);
  }

  private static FlightSqlColumnMetadata.Builder metadata(DataType type) {
    FlightSqlColumnMetadata.Builder metadata =
        new FlightSqlColumnMetadata.Builder()
            .typeName(TypeInfo.name(type))
            .isAutoIncrement(false)
            .isSearchable(true)
            .isCaseSensitive(type.kind() == TypeKind.VARCHAR);
    return type.isDecimal()
        ? metadata.precision(type.precision()).scale(type.scale())
        : metadata.precision(TypeInfo.precision(type));
  }

  /** The schema as the message that begins an Arrow stream. */
  static ByteString serialized(org.apache.arrow.vector.types.pojo.Schema schema) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      MessageSerializer.serialize(new WriteChannel(Channels.newChannel(bytes)), schema);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }
}
