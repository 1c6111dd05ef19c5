package dev.varve.engine.port;

/** Names as the session resolves them. */
public interface NameResolver {
  /** The full name of a table that a text names: {@code t}, {@code s.t} or {@code lake.s.t}. */
  ObjectName resolve(String table);
}
