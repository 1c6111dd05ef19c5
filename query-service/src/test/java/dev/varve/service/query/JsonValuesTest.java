package dev.varve.service.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

class JsonValuesTest {

  static List<Arguments> values() {
    return List.of(
        Arguments.of(DataType.BOOLEAN, true, "true"),
        Arguments.of(DataType.SMALLINT, (short) -7, "-7"),
        Arguments.of(DataType.INTEGER, Integer.MIN_VALUE, "-2147483648"),
        Arguments.of(DataType.BIGINT, (1L << 53) - 1, "9007199254740991"),
        Arguments.of(DataType.BIGINT, 1L << 53, "\"9007199254740992\""),
        Arguments.of(DataType.BIGINT, Long.MIN_VALUE, "\"-9223372036854775808\""),
        Arguments.of(DataType.REAL, 1.5f, "1.5"),
        Arguments.of(DataType.REAL, Float.NaN, "\"NaN\""),
        Arguments.of(DataType.DOUBLE, -0.0, "-0.0"),
        Arguments.of(DataType.DOUBLE, Double.NEGATIVE_INFINITY, "\"-Infinity\""),
        Arguments.of(
            DataType.decimal(38, 0), new BigDecimal("9".repeat(38)), "\"" + "9".repeat(38) + "\""),
        Arguments.of(DataType.decimal(10, 8), new BigDecimal("0.00000001"), "\"0.00000001\""),
        Arguments.of(DataType.DATE, LocalDate.of(2026, 11, 30), "\"2026-11-30\""),
        Arguments.of(DataType.TIME, LocalTime.of(10, 0), "\"10:00:00\""),
        Arguments.of(
            DataType.TIMESTAMP,
            LocalDateTime.of(2026, 1, 2, 3, 4, 5, 6000),
            "\"2026-01-02T03:04:05.000006\""),
        Arguments.of(DataType.TIMESTAMPTZ, Instant.ofEpochSecond(0), "\"1970-01-01T00:00:00Z\""),
        Arguments.of(DataType.VARCHAR, "a\"\n\u0000é", "\"a\\\"\\n\\u0000é\""),
        Arguments.of(DataType.VARBINARY, new byte[] {0, (byte) 255}, "\"\\\\x00ff\""),
        Arguments.of(
            DataType.UUID,
            UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
            "\"00112233-4455-6677-8899-aabbccddeeff\""),
        Arguments.of(DataType.VARCHAR, null, "null"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valuesKeepWhatJsonNumbersWouldLose(DataType type, @Nullable Object value, String expected) {
    ColumnBuilder builder = ColumnBuilder.of(type, 1);
    builder.append(value);
    Column column = builder.build();
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JsonMapper.builder().build().createGenerator(text)) {
      json.writeStartArray();
      JsonValues.writeRows(json, new Batch(Schema.of(Field.of("v", type)), List.of(column), 1));
      json.writeEndArray();
    }
    assertThat(text).hasToString("[[" + expected + "]]");
  }
}
