package dev.varve.engine.suite;

import dev.varve.engine.QueryHandle;
import dev.varve.engine.Session;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Setting;
import dev.varve.engine.config.Settings;
import java.util.function.UnaryOperator;

/** The ways in which every SQL test runs. */
public enum Configuration {
  DEFAULT(s -> s.with(EngineSettings.TARGET_PARTITIONS, 4)),
  NO_OPTIMIZATIONS(
      s -> s.with(EngineSettings.OPTIMIZER, false).with(EngineSettings.TARGET_PARTITIONS, 1)),
  ONE_PARTITION(s -> s.with(EngineSettings.TARGET_PARTITIONS, 1)),
  TINY_BATCHES(
      s -> s.with(EngineSettings.BATCH_SIZE, 37).with(EngineSettings.TARGET_PARTITIONS, 3)),
  CONSTANT_HASH(
      s -> s.with(EngineSettings.CONSTANT_HASH, true).with(EngineSettings.TARGET_PARTITIONS, 4)),
  SMALL_POOL(
      s ->
          s.with(EngineSettings.QUERY_MEMORY_LIMIT, 3L << 20)
              .with(EngineSettings.TARGET_PARTITIONS, 2));

  private final UnaryOperator<Settings> change;

  Configuration(UnaryOperator<Settings> change) {
    this.change = change;
  }

  /** SETs all of it in a session. */
  public void apply(Session session) {
    Settings settings = settings();
    for (Setting<?> setting : EngineSettings.all()) {
      Object value = settings.get(setting);
      if (!value.equals(setting.defaultValue())) {
        try (QueryHandle query = session.submit("SET " + setting.name() + " = '" + value + "'")) {
          query.schema();
        }
      }
    }
  }

  public Settings settings() {
    return change.apply(Settings.DEFAULTS).with(EngineSettings.CHECK_ORDER, true);
  }
}
