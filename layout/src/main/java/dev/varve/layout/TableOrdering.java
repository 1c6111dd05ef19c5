package dev.varve.layout;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A lexicographic ordering over columns of a table; never empty, no column twice. */
public record TableOrdering(List<OrderingField> fields) {
  public TableOrdering {
    fields = List.copyOf(fields);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("an ordering has at least one key");
    }
    Set<Integer> seen = new HashSet<>();
    for (OrderingField field : fields) {
      if (!seen.add(field.fieldId())) {
        throw new IllegalArgumentException("field " + field.fieldId() + " is twice in an ordering");
      }
    }
  }

  /** Whether rows in this ordering are also in {@code other}: it is a prefix of this one. */
  public boolean satisfies(TableOrdering other) {
    return other.fields.size() <= fields.size()
        && fields.subList(0, other.fields.size()).equals(other.fields);
  }
}
