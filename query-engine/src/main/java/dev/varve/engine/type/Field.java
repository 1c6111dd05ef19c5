package dev.varve.engine.type;

/** A named, typed column of a schema. {@code fieldId} is Iceberg's, or -1 where there is none. */
public record Field(String name, DataType type, boolean nullable, int fieldId) {
  public static Field of(String name, DataType type) {
    return new Field(name, type, true, -1);
  }

  public static Field of(String name, DataType type, boolean nullable) {
    return new Field(name, type, nullable, -1);
  }
}
