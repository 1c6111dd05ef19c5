package dev.varve.engine.connector.tpch;

import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.properties.ColumnStatistics;
import dev.varve.engine.properties.Precision;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.source.ScanRequest;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One TPC-H table at one scale. */
final class TpchSourceTable<E extends TpchEntity> implements SourceTable {
  private final TpchTable<E> table;
  private final double scale;
  private final Schema schema;

  TpchSourceTable(TpchTable<E> table, double scale) {
    this.table = table;
    this.scale = scale;
    List<Field> fields = new ArrayList<>();
    for (TpchColumn<E> column : table.getColumns()) {
      fields.add(Field.of(column.getColumnName(), type(column), false));
    }
    this.schema = new Schema(fields);
  }

  /** Money and quantities are decimals, as the benchmark defines them. */
  private static DataType type(TpchColumn<?> column) {
    return switch (column.getType().getBase()) {
      case INTEGER -> DataType.INTEGER;
      case IDENTIFIER -> DataType.BIGINT;
      case DATE -> DataType.DATE;
      case DOUBLE -> DataType.decimal(15, 2);
      case VARCHAR -> DataType.VARCHAR;
    };
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public Statistics statistics() {
    Precision<Long> rows =
        table.getTableName().equals("lineitem")
            ? Precision.inexact(rowCount())
            : Precision.exact(rowCount());
    return new Statistics(
        rows,
        Precision.absent(),
        Collections.nCopies(
            schema.size(),
            new ColumnStatistics(
                Precision.exact(0L), Precision.absent(), Precision.absent(), Precision.absent())));
  }

  private long rowCount() {
    return switch (table.getTableName()) {
      case "region" -> 5;
      case "nation" -> 25;
      case "supplier" -> (long) (10_000 * scale);
      case "customer" -> (long) (150_000 * scale);
      case "part" -> (long) (200_000 * scale);
      case "partsupp" -> (long) (800_000 * scale);
      case "orders" -> (long) (1_500_000 * scale);
      case "lineitem" -> (long) (6_001_215 * scale);
      default -> throw new IllegalStateException("no such TPC-H table: " + table.getTableName());
    };
  }

  /** The columns by which the generator makes rows in order. */
  private List<Integer> orderedBy() {
    return table.getTableName().equals("lineitem")
        ? List.of(schema.indexOf("l_orderkey"), schema.indexOf("l_linenumber"))
        : List.of(0);
  }

  @Override
  public PhysicalPlan scan(ScanRequest request) {
    int partitions =
        (int) Math.max(1, Math.min(request.settings().targetPartitions(), rowCount() / 20_000));
    return TpchScanExec.create(
        table, scale, schema, request.projection(), orderedBy(), partitions, statistics());
  }
}
