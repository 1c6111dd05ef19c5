package dev.varve.engine.statement;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Setting;
import dev.varve.engine.config.Settings;
import dev.varve.engine.sql.SqlText;
import java.util.List;

/**
 * What a logical plan depends on but for the tables: the statement, how its names are resolved, and
 * the settings that planning looks at.
 *
 * @param text normalised
 * @param parameters whether the plan has places for parameters' values
 */
record PlanKey(String text, String catalog, String schema, Settings settings, boolean parameters) {
  /** Settings of execution and of the physical plan, which is made anew each time. */
  private static final List<Setting<?>> IRRELEVANT =
      List.of(
          EngineSettings.TARGET_PARTITIONS,
          EngineSettings.BATCH_SIZE,
          EngineSettings.CONSTANT_HASH,
          EngineSettings.CHECK_ORDER,
          EngineSettings.QUERY_MEMORY_LIMIT,
          EngineSettings.STATEMENT_TIMEOUT);

  static PlanKey of(String sql, SessionState session, boolean parameters) {
    Settings relevant = session.settings();
    for (Setting<?> setting : IRRELEVANT) {
      relevant = relevant.resetTo(setting.name(), Settings.DEFAULTS);
    }
    return new PlanKey(
        SqlText.normalize(sql), session.catalog(), session.schema(), relevant, parameters);
  }
}
