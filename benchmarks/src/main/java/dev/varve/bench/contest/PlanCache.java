package dev.varve.bench.contest;

import dev.varve.bench.BadUsage;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;

/** Whether the engine keeps plans of statements. */
public final class PlanCache {
  static final String SETTING = "optimizer.plan_cache";

  private PlanCache() {}

  static boolean exists() {
    return EngineSettings.all().stream().anyMatch(setting -> setting.name().equals(SETTING));
  }

  /** Settings with plans kept or made anew for each run. */
  public static Settings settings(boolean kept) {
    if (exists()) {
      return Settings.DEFAULTS.with(SETTING, kept ? "on" : "off");
    }
    if (kept) {
      throw new BadUsage("--plan-cache: this engine keeps no plans");
    }
    return Settings.DEFAULTS;
  }
}
