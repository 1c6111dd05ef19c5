package dev.varve.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.writer.option.Codec;
import dev.varve.writer.option.OptionReader;
import dev.varve.writer.option.WriterOptions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionsTest {
  private static final List<String> COLUMNS = List.of("id", "name");

  @Test
  void becomeTablePropertiesAndComeBack() {
    Map<String, String> properties =
        new WriterSinkFactory(LayoutIndex.none())
            .tableProperties(
                Map.of(
                    "row_group_rows", "5000",
                    "page_bytes", "64kb",
                    "compression", "snappy",
                    "bloom_columns", "id",
                    "bloom_fpp", "0.05",
                    "target_file_bytes", "32MB"),
                List.of(Field.of("id", DataType.BIGINT), Field.of("name", DataType.VARCHAR)));
    assertThat(properties)
        .containsEntry("write.parquet.page-size-bytes", "65536")
        .containsEntry("write.parquet.compression-codec", "snappy")
        .containsEntry("write.parquet.bloom-filter-enabled.column.id", "true")
        .containsEntry("write.target-file-size-bytes", "33554432");
    WriterOptions options = OptionReader.ofTable(properties, COLUMNS);
    assertThat(options.rowGroupRows()).isEqualTo(5000);
    assertThat(options.codec()).isEqualTo(Codec.SNAPPY);
    assertThat(options.bloomColumns()).containsExactly("id");
    assertThat(options.bloomFpp()).isEqualTo(0.05);
    assertThat(options.pageRows()).isEqualTo(WriterOptions.DEFAULTS.pageRows());
  }

  @Test
  void anUnknownNameIsAnErrorWithASuggestion() {
    refused(Map.of("row_group_row", "1"), "row_group_rows");
  }

  @Test
  void anUnknownColumnIsAnErrorWithASuggestion() {
    refused(Map.of("bloom_columns", "nam"), "name");
  }

  @Test
  void valuesThatDoNotFitAreErrors() {
    refused(Map.of("row_group_rows", "many"), null);
    refused(Map.of("row_group_rows", "0"), null);
    refused(Map.of("compression", "brotli"), null);
    refused(Map.of("bloom_columns", "id", "bloom_fpp", "2"), null);
    refused(Map.of("bloom_fpp", "0.1"), null);
  }

  private static void refused(
      Map<String, String> options, @org.jspecify.annotations.Nullable String hint) {
    assertThatThrownBy(() -> OptionReader.toProperties(options, COLUMNS))
        .isInstanceOfSatisfying(
            VarveException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PARAMETER);
              if (hint != null) {
                assertThat(e.hint()).contains(hint);
              }
            });
  }
}
