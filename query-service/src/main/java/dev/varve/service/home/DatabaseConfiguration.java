package dev.varve.service.home;

import java.util.Optional;

/**
 * A PostgreSQL database that the catalog keeps its tables in; several processes may share it.
 *
 * @param url {@code jdbc:postgresql://host:port/name}
 */
public record DatabaseConfiguration(String url, Optional<String> user, Optional<String> password) {
  static final String PREFIX = "jdbc:postgresql:";

  @Override
  public String toString() {
    return url;
  }
}
