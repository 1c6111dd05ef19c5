package dev.varve.engine.port;

import java.util.Set;

/** Who a statement runs as; it travels in the query's context. */
public record Principal(String name, Set<String> roles) {
  public Principal {
    roles = Set.copyOf(roles);
  }
}
