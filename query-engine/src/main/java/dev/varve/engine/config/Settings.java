package dev.varve.engine.config;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The values of a session's settings: immutable; what is not set has its default. */
public final class Settings {
  public static final Settings DEFAULTS = new Settings(Map.of());

  private final Map<String, Object> values;

  private Settings(Map<String, Object> values) {
    this.values = Map.copyOf(values);
  }

  public <T> T get(Setting<T> setting) {
    Object value = values.get(setting.name());
    return value == null ? setting.defaultValue() : setting.type().cast(value);
  }

  public <T> Settings with(Setting<T> setting, T value) {
    Map<String, Object> changed = new TreeMap<>(values);
    changed.put(setting.name(), value);
    return new Settings(changed);
  }

  /** SET name = text. */
  public Settings with(String name, String text) {
    Setting<?> setting = find(name);
    Map<String, Object> changed = new TreeMap<>(values);
    changed.put(setting.name(), setting.parse(text));
    return new Settings(changed);
  }

  /** RESET name: the value that {@code defaults} has. */
  public Settings resetTo(String name, Settings defaults) {
    String key = find(name).name();
    Map<String, Object> changed = new TreeMap<>(values);
    Object value = defaults.values.get(key);
    if (value == null) {
      changed.remove(key);
    } else {
      changed.put(key, value);
    }
    return new Settings(changed);
  }

  public static Setting<?> find(String name) {
    return EngineSettings.all().stream()
        .filter(s -> s.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new VarveException(
                    ErrorCode.UNDEFINED_OBJECT,
                    "unknown setting '" + name + "'",
                    null,
                    "SHOW ALL lists the settings",
                    null));
  }

  /** The number of partitions a plan aims at: the setting, or the cores where it is 0. */
  public int targetPartitions() {
    int partitions = get(EngineSettings.TARGET_PARTITIONS);
    return partitions == 0 ? Runtime.getRuntime().availableProcessors() : partitions;
  }

  public int batchSize() {
    return get(EngineSettings.BATCH_SIZE);
  }

  /** Whether an optimisation that has a switch of its own is on: its switch and the optimizer's. */
  public boolean optimizes(Setting<Boolean> ownSwitch) {
    return get(EngineSettings.OPTIMIZER) && get(ownSwitch);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Settings settings && values.equals(settings.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }
}
