package dev.varve.engine.connector.system;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Setting;
import dev.varve.engine.connector.MemoryTable;
import dev.varve.engine.connector.PlanCacheView;
import dev.varve.engine.connector.QueryRegistry;
import dev.varve.engine.connector.lake.LakeConnector;
import dev.varve.engine.source.Connector;
import dev.varve.engine.source.SourceTable;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The engine's own state: queries, settings, and what the lakes' tables are known to be ordered by.
 */
public final class SystemConnector implements Connector {
  public static final String SCHEMA = "runtime";

  private static final Schema QUERIES =
      Schema.of(
          Field.of("query_id", DataType.VARCHAR),
          Field.of("user_name", DataType.VARCHAR),
          Field.of("state", DataType.VARCHAR),
          Field.of("query", DataType.VARCHAR),
          Field.of("submitted", DataType.TIMESTAMPTZ),
          Field.of("queued_millis", DataType.BIGINT),
          Field.of("planning_millis", DataType.BIGINT),
          Field.of("execution_millis", DataType.BIGINT),
          Field.of("rows_produced", DataType.BIGINT),
          Field.of("bytes_read", DataType.BIGINT),
          Field.of("memory_peak_bytes", DataType.BIGINT),
          Field.of("error", DataType.VARCHAR));
  private static final Schema SETTINGS =
      Schema.of(
          Field.of("name", DataType.VARCHAR),
          Field.of("default_value", DataType.VARCHAR),
          Field.of("unit", DataType.VARCHAR),
          Field.of("description", DataType.VARCHAR));

  private static final Schema PLAN_CACHE =
      Schema.of(
          Field.of("hits", DataType.BIGINT),
          Field.of("misses", DataType.BIGINT),
          Field.of("invalidations", DataType.BIGINT),
          Field.of("evictions", DataType.BIGINT),
          Field.of("entries", DataType.BIGINT),
          Field.of("bytes", DataType.BIGINT));
  private static final Schema CACHED_PLANS =
      Schema.of(
          Field.of("query", DataType.VARCHAR),
          Field.of("catalog_name", DataType.VARCHAR),
          Field.of("schema_name", DataType.VARCHAR),
          Field.of("hits", DataType.BIGINT),
          Field.of("bytes", DataType.BIGINT));

  private final PlanCacheView plans;
  private final QueryRegistry queries;
  private final LakeFacts facts;

  public SystemConnector(
      QueryRegistry queries, PlanCacheView plans, Map<String, LakeConnector> lakes) {
    this.queries = queries;
    this.plans = plans;
    this.facts = new LakeFacts(lakes);
  }

  @Override
  public List<String> schemas() {
    return List.of(SCHEMA);
  }

  @Override
  public List<String> tables(String schema) {
    return schema.equals(SCHEMA)
        ? List.of(
            "cached_plans",
            "file_facts",
            "index_state",
            "orderings",
            "plan_cache",
            "queries",
            "settings")
        : List.of();
  }

  @Override
  public Optional<SourceTable> table(String schema, String name) {
    if (!schema.equals(SCHEMA)) {
      return Optional.empty();
    }
    return switch (name) {
      case "queries" -> Optional.of(new MemoryTable(QUERIES, this::queryRows));
      case "settings" -> Optional.of(new MemoryTable(SETTINGS, SystemConnector::settingRows));
      case "plan_cache" -> Optional.of(new MemoryTable(PLAN_CACHE, this::planCacheRows));
      case "cached_plans" -> Optional.of(new MemoryTable(CACHED_PLANS, this::cachedPlanRows));
      case "orderings" -> lakeTable(name, LakeFacts.ORDERINGS, LakeFacts::orderings);
      case "file_facts" -> lakeTable(name, LakeFacts.FILES, LakeFacts::files);
      case "index_state" -> lakeTable(name, IndexStates.SCHEMA, IndexStates::of);
      default -> Optional.empty();
    };
  }

  private Optional<SourceTable> lakeTable(String name, Schema schema, LakeFacts.Rows rows) {
    return Optional.of(new LakeTable(name, schema, facts, rows));
  }

  private List<List<@Nullable Object>> queryRows() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (QueryRegistry.Entry q : queries.entries()) {
      List<@Nullable Object> row = new ArrayList<>();
      row.add(q.id());
      row.add(q.user());
      row.add(q.state());
      row.add(q.sql());
      row.add(q.submittedMicros());
      row.add(q.queuedMillis());
      row.add(q.planningMillis());
      row.add(q.executionMillis());
      row.add(q.rows());
      row.add(q.bytesRead());
      row.add(q.memoryPeakBytes());
      row.add(q.error().isEmpty() ? null : q.error());
      rows.add(row);
    }
    return rows;
  }

  private List<List<@Nullable Object>> planCacheRows() {
    PlanCacheView.Totals totals = plans.totals();
    return List.of(
        List.of(
            totals.hits(),
            totals.misses(),
            totals.invalidations(),
            totals.evictions(),
            totals.entries(),
            totals.bytes()));
  }

  private List<List<@Nullable Object>> cachedPlanRows() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (PlanCacheView.Plan plan : plans.plans()) {
      rows.add(List.of(plan.query(), plan.catalog(), plan.schema(), plan.hits(), plan.bytes()));
    }
    return rows;
  }

  private static List<List<@Nullable Object>> settingRows() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (Setting<?> setting : EngineSettings.all()) {
      rows.add(
          List.of(
              setting.name(),
              setting.defaultValue().toString(),
              setting.unit(),
              setting.description()));
    }
    return rows;
  }
}
