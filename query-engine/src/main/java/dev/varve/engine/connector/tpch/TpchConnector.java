package dev.varve.engine.connector.tpch;

import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import io.trino.tpch.TpchTable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * TPC-H at any scale: the schema's name is the scale factor. {@code tiny} is 0.01; {@code sf1},
 * {@code sf0_1} and {@code "sf0.1"} are what they say. Safe for concurrent use.
 */
public final class TpchConnector implements Connector {
  private static final Pattern SCALE = Pattern.compile("sf(\\d{1,6}(?:[._]\\d{1,6})?)");

  @Override
  public List<String> schemas() {
    return List.of("tiny", "sf0_1", "sf1", "sf10", "sf100");
  }

  @Override
  public List<String> tables(String schema) {
    return scale(schema).isEmpty()
        ? List.of()
        : TpchTable.getTables().stream().map(TpchTable::getTableName).sorted().toList();
  }

  @Override
  public Optional<SourceTable> table(String schema, String name) {
    OptionalDouble scale = scale(schema);
    if (scale.isEmpty()) {
      return Optional.empty();
    }
    return TpchTable.getTables().stream()
        .filter(table -> table.getTableName().equals(name))
        .findFirst()
        .map(table -> new TpchSourceTable<>(table, scale.getAsDouble()));
  }

  private static OptionalDouble scale(String schema) {
    if (schema.equals("tiny")) {
      return OptionalDouble.of(0.01);
    }
    Matcher matcher = SCALE.matcher(schema);
    if (!matcher.matches()) {
      return OptionalDouble.empty();
    }
    double scale = Double.parseDouble(matcher.group(1).replace('_', '.'));
    return scale > 0 ? OptionalDouble.of(scale) : OptionalDouble.empty();
  }
}
