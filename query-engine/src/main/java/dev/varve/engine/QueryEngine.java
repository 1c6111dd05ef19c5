package dev.varve.engine;

import dev.varve.engine.port.Principal;

/** The engine as its users see it. Safe for concurrent use. */
public interface QueryEngine extends AutoCloseable {

  /**
   * A session: current catalog and schema, settings. Cheap; confined to one client at a time,
   * closed with it.
   */
  Session openSession(Principal principal);

  /** Ends every query and waits for them. */
  @Override
  void close();
}
