package dev.varve.layout;

/**
 * That two columns, by their Iceberg field ids, hold the same value (or both null) in every row of
 * a file. The lesser id comes first.
 */
public record EquivalenceFact(int fieldId, int otherFieldId, Trust trust) {
  public EquivalenceFact {
    if (fieldId >= otherFieldId) {
      throw new IllegalArgumentException(
          "an equivalence of the fields " + fieldId + " and " + otherFieldId);
    }
  }

  /** Of two different fields in any order. */
  public static EquivalenceFact of(int fieldId, int otherFieldId, Trust trust) {
    return new EquivalenceFact(
        Math.min(fieldId, otherFieldId), Math.max(fieldId, otherFieldId), trust);
  }

  /** Whether it is about the same two columns. */
  public boolean isOf(EquivalenceFact other) {
    return fieldId == other.fieldId && otherFieldId == other.otherFieldId;
  }
}
