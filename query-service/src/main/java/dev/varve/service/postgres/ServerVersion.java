package dev.varve.service.postgres;

/**
 * The version that clients are told. They ask for what servers of that version have: of a later one
 * they would ask for row security, publications and partitions, which are not here.
 */
public final class ServerVersion {
  public static final String NUMBER = "9.4.26";
  public static final String TEXT = "PostgreSQL " + NUMBER + " (Varve)";

  private ServerVersion() {}
}
