package dev.varve.engine.scan;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.OrderingField;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyEncoding.Part;
import dev.varve.layout.key.KeyType;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sort keys as people read them. */
public final class KeyText {
  private KeyText() {}

  /**
   * {@code (7, NULL)}; empty if a column of the ordering is not in the table any more.
   *
   * @param key a whole key: what was cut cannot be read
   */
  public static Optional<String> of(TableOrdering ordering, Schema columns, EncodedKey key) {
    List<Part> parts = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    for (OrderingField field : ordering.fields()) {
      Optional<DataType> type =
          columns.fields().stream()
              .filter(f -> f.fieldId() == field.fieldId())
              .map(Field::type)
              .findFirst();
      Optional<KeyType> encoding = type.flatMap(ColumnKeys::type);
      if (encoding.isEmpty()) {
        return Optional.empty();
      }
      types.add(type.get());
      parts.add(new Part(encoding.get(), field.direction(), field.nullOrder()));
    }
    List<@Nullable Object> values = KeyEncoding.decode(parts, key);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      texts.add(text(types.get(i), values.get(i)));
    }
    return Optional.of("(" + String.join(", ", texts) + ")");
  }

  private static String text(DataType type, @Nullable Object decoded) {
    if (decoded == null) {
      return "NULL";
    }
    return ColumnKeys.value(type, decoded) instanceof byte[] bytes
        ? HexFormat.of().formatHex(bytes)
        : String.valueOf(ColumnKeys.value(type, decoded));
  }
}
