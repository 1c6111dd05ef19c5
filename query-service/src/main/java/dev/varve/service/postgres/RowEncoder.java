package dev.varve.service.postgres;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BytesColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.CastExpr;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import dev.varve.engine.type.TypeKind;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * Rows as DataRow messages. Text is what the engine's own cast to varchar gives, which writes as
 * PostgreSQL does, one column of a batch at a time.
 */
final class RowEncoder {
  private static final LocalDate EPOCH_DAY = LocalDate.of(2000, 1, 1);
  private static final LocalDateTime EPOCH = EPOCH_DAY.atStartOfDay();
  private static final Instant EPOCH_INSTANT = Instant.parse("2000-01-01T00:00:00Z");
  private static final BigInteger BASE = BigInteger.valueOf(10_000);

  private final Schema schema;
  private final boolean[] binary;
  private final EvalContext context;

  /**
   * @param formats of the columns, 1 for binary: none for all text, one for all columns
   */
  RowEncoder(Schema schema, int[] formats, EvalContext context) {
    this.schema = schema;
    this.context = context;
    this.binary = new boolean[schema.size()];
    if (formats.length > 1 && formats.length != schema.size()) {
      throw WireInput.wrong(
          formats.length + " formats for the " + schema.size() + " columns of the result");
    }
    for (int i = 0; i < binary.length; i++) {
      binary[i] = formats.length > 0 && formats[formats.length == 1 ? 0 : i] == 1;
    }
  }

  Schema schema() {
    return schema;
  }

  void describe(WireOutput out) throws IOException {
    out.begin('T').int16(schema.size());
    for (int i = 0; i < schema.size(); i++) {
      DataType type = schema.type(i);
      out.string(schema.field(i).name())
          .int32(0)
          .int16(0)
          .int32(WireTypes.oid(type))
          .int16(WireTypes.length(type))
          .int32(WireTypes.modifier(type))
          .int16(binary[i] ? 1 : 0);
    }
    out.end();
  }

  /** A batch made ready to be written row by row. */
  final class Rows {
    private final List<Column> columns = new ArrayList<>();
    private final int count;

    private Rows(Batch batch) {
      count = batch.rowCount();
      for (int i = 0; i < schema.size(); i++) {
        Column column = batch.column(i);
        columns.add((binary[i] || !isCast(column.type()) ? column : text(batch, i)).flat());
      }
    }

    int count() {
      return count;
    }

    void write(int row, WireOutput out) throws IOException {
      out.begin('D').int16(columns.size());
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        if (column.isNull(row)) {
          out.int32(-1);
        } else if (binary[i]) {
          writeBinary(column, row, out);
        } else {
          writeText(column, row, out);
        }
      }
      out.end();
    }
  }

  Rows rows(Batch batch) {
    return new Rows(batch);
  }

  private static boolean isCast(DataType type) {
    return switch (type.kind()) {
      case BOOLEAN, VARCHAR, VARBINARY, NULL -> false;
      default -> true;
    };
  }

  private Column text(Batch batch, int column) {
    return CastExpr.to(ColumnExpr.of(schema, column), DataType.VARCHAR).evaluate(batch, context);
  }

  private static void writeText(Column column, int row, WireOutput out) {
    switch (column.type().kind()) {
      case BOOLEAN -> out.int32(1).int8(Boolean.TRUE.equals(column.value(row)) ? 't' : 'f');
      case VARBINARY -> {
        byte[] text =
            ("\\x" + HexFormat.of().formatHex((byte[]) value(column, row)))
                .getBytes(StandardCharsets.US_ASCII);
        out.int32(text.length).bytes(text);
      }
      default -> writeBytes((BytesColumn) column, row, out);
    }
  }

  private static void writeBytes(BytesColumn column, int row, WireOutput out) {
    int start = column.start(row);
    int length = column.end(row) - start;
    out.int32(length).bytes(column.data(), start, length);
  }

  private static Object value(Column column, int row) {
    Object value = column.value(row);
    if (value == null) {
      throw new IllegalStateException("a null is not written as a value");
    }
    return value;
  }

  private static void writeBinary(Column column, int row, WireOutput out) {
    if (column.type().kind() == TypeKind.VARCHAR || column.type().kind() == TypeKind.VARBINARY) {
      writeBytes((BytesColumn) column, row, out);
      return;
    }
    switch (value(column, row)) {
      case Boolean flag -> out.int32(1).int8(flag ? 1 : 0);
      case Short number -> out.int32(2).int16(number);
      case Integer number -> out.int32(4).int32(number);
      case Long number -> out.int32(8).int64(number);
      case Float number -> out.int32(4).int32(Float.floatToIntBits(number));
      case Double number -> out.int32(8).int64(Double.doubleToLongBits(number));
      case BigDecimal number -> writeNumeric(number, out);
      case LocalDate day -> out.int32(4).int32((int) ChronoUnit.DAYS.between(EPOCH_DAY, day));
      case LocalTime time -> out.int32(8).int64(time.toNanoOfDay() / 1000);
      case LocalDateTime time -> out.int32(8).int64(ChronoUnit.MICROS.between(EPOCH, time));
      case Instant time -> out.int32(8).int64(ChronoUnit.MICROS.between(EPOCH_INSTANT, time));
      case Duration time ->
          out.int32(16)
              .int64(time.getSeconds() * 1_000_000 + time.getNano() / 1000)
              .int32(0)
              .int32(0);
      case Period months -> out.int32(16).int64(0).int32(0).int32((int) months.toTotalMonths());
      case UUID id ->
          out.int32(16).int64(id.getMostSignificantBits()).int64(id.getLeastSignificantBits());
      default ->
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED, "no binary form of " + column.type());
    }
  }

  /** See {@link ParameterDecoder}: digits to the base 10000, aligned at the decimal point. */
  private static void writeNumeric(BigDecimal number, WireOutput out) {
    int scale = Math.max(0, number.scale());
    int groupsAfterPoint = (scale + 3) / 4;
    BigInteger left = number.abs().setScale(groupsAfterPoint * 4).unscaledValue();
    List<Integer> digits = new ArrayList<>();
    while (left.signum() != 0) {
      BigInteger[] parts = left.divideAndRemainder(BASE);
      digits.add(parts[1].intValue());
      left = parts[0];
    }
    int weight = digits.size() - groupsAfterPoint - 1;
    out.int32(8 + 2 * digits.size())
        .int16(digits.size())
        .int16(digits.isEmpty() ? 0 : weight)
        .int16(number.signum() < 0 ? 0x4000 : 0)
        .int16(scale);
    for (int i = digits.size() - 1; i >= 0; i--) {
      out.int16(digits.get(i));
    }
  }
}
