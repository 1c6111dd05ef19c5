package dev.varve.engine.statement;

import dev.varve.engine.config.Settings;

/** What SET and USE change. */
public record SessionState(String catalog, String schema, Settings settings) {
  SessionState withSettings(Settings changed) {
    return new SessionState(catalog, schema, changed);
  }
}
