package dev.varve.engine.type;

import java.util.ArrayList;
import java.util.List;

/** The columns of a batch stream, by position; names need not be unique. */
public record Schema(List<Field> fields) {
  public static final Schema EMPTY = new Schema(List.of());

  public Schema {
    fields = List.copyOf(fields);
  }

  public static Schema of(Field... fields) {
    return new Schema(List.of(fields));
  }

  public int size() {
    return fields.size();
  }

  public Field field(int index) {
    return fields.get(index);
  }

  public DataType type(int index) {
    return fields.get(index).type();
  }

  /** The position of the first column of this name, or -1. */
  public int indexOf(String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  public Schema select(int[] columns) {
    List<Field> selected = new ArrayList<>(columns.length);
    for (int column : columns) {
      selected.add(fields.get(column));
    }
    return new Schema(selected);
  }

  public Schema concat(Schema right) {
    List<Field> all = new ArrayList<>(fields);
    all.addAll(right.fields);
    return new Schema(all);
  }

  /** The same columns, each able to hold nulls. */
  public Schema nullable() {
    return new Schema(
        fields.stream().map(f -> new Field(f.name(), f.type(), true, f.fieldId())).toList());
  }
}
