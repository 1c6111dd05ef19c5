package dev.varve.writer.maintain;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.upkeep.LakeUpkeep.Finding;
import java.util.List;
import java.util.Locale;

/** What was or would be removed, as rows. */
final class Findings {
  static final Schema SCHEMA =
      Schema.of(
          Field.of("kind", DataType.VARCHAR, false),
          Field.of("location", DataType.VARCHAR, true),
          Field.of("files", DataType.BIGINT, false),
          Field.of("outcome", DataType.VARCHAR, false));

  private Findings() {}

  static Batch toBatch(List<Finding> findings) {
    ColumnBuilder kinds = ColumnBuilder.of(DataType.VARCHAR, findings.size());
    ColumnBuilder locations = ColumnBuilder.of(DataType.VARCHAR, findings.size());
    ColumnBuilder files = ColumnBuilder.of(DataType.BIGINT, findings.size());
    ColumnBuilder outcomes = ColumnBuilder.of(DataType.VARCHAR, findings.size());
    for (Finding finding : findings) {
      kinds.appendString(words(finding.kind()));
      finding.location().ifPresentOrElse(locations::appendString, locations::appendNull);
      files.appendLong(finding.files());
      outcomes.appendString(words(finding.outcome()));
    }
    List<Column> columns =
        List.of(kinds.build(), locations.build(), files.build(), outcomes.build());
    return new Batch(SCHEMA, columns, findings.size());
  }

  private static String words(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
