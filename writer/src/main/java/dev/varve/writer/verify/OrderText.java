package dev.varve.writer.verify;

import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

/**
 * An ordering as people write it after ORDER BY: {@code k, "V" DESC NULLS LAST}. Names fold to
 * lower case unless quoted; nulls come last, or first with DESC, unless it says otherwise.
 */
final class OrderText {
  private static final Pattern KEY =
      Pattern.compile(
          "\\s*(\"(?:[^\"]|\"\")+\"|[\\p{L}_][\\p{L}\\p{N}_$]*)"
              + "(?:\\s+(asc|desc))?(?:\\s+nulls\\s+(first|last))?\\s*(,|$)",
          Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

  private OrderText() {}

  /**
   * @throws VarveException INVALID_PARAMETER if it is no ordering, UNDEFINED_COLUMN
   */
  static TableOrdering parse(String text, Schema schema) {
    List<OrderingField> fields = new ArrayList<>();
    Matcher matcher = KEY.matcher(text);
    int at = 0;
    boolean more = true;
    while (more) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw new VarveException(
            ErrorCode.INVALID_PARAMETER,
            "'" + text + "' is not an ordering from character " + (at + 1) + " on",
            null,
            "an ordering looks like 'k, v DESC NULLS LAST'",
            null);
      }
      fields.add(field(matcher, schema));
      more = !matcher.group(4).isEmpty();
      at = matcher.end();
    }
    try {
      return new TableOrdering(fields);
    } catch (IllegalArgumentException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "'" + text + "' names a column twice", e);
    }
  }

  private static OrderingField field(Matcher matcher, Schema schema) {
    String written = matcher.group(1);
    String name =
        written.startsWith("\"")
            ? written.substring(1, written.length() - 1).replace("\"\"", "\"")
            : written.toLowerCase(Locale.ROOT);
    boolean descending = "desc".equalsIgnoreCase(matcher.group(2));
    boolean nullsFirst =
        matcher.group(3) == null ? descending : matcher.group(3).equalsIgnoreCase("first");
    for (NestedField column : schema.columns()) {
      if (column.name().equals(name)) {
        return new OrderingField(
            column.fieldId(),
            descending ? SortDirection.DESC : SortDirection.ASC,
            nullsFirst ? NullOrder.NULLS_FIRST : NullOrder.NULLS_LAST);
      }
    }
    throw new VarveException(
        ErrorCode.UNDEFINED_COLUMN,
        "column '" + name + "' of the ordering is not in the table",
        null,
        "columns are "
            + String.join(", ", schema.columns().stream().map(NestedField::name).toList()),
        null);
  }

  /** {@code k ASC, v DESC}; a column that is no longer there by its id. */
  static String of(TableOrdering ordering, Schema schema) {
    List<String> keys = new ArrayList<>();
    for (OrderingField key : ordering.fields()) {
      NestedField column = schema.findField(key.fieldId());
      boolean descending = key.direction() == SortDirection.DESC;
      boolean nullsFirst = key.nullOrder() == NullOrder.NULLS_FIRST;
      keys.add(
          (column == null ? "#" + key.fieldId() : column.name())
              + (descending ? " DESC" : " ASC")
              + (nullsFirst == descending ? "" : nullsFirst ? " NULLS FIRST" : " NULLS LAST"));
    }
    return String.join(", ", keys);
  }
}
