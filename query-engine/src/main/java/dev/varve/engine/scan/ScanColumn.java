package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import java.util.Optional;

/**
 * A column of a table as the scan knows it. {@code id} is the key of its facts: Iceberg's field id,
 * or its position plus one for plain files. A column whose type is not supported is there, so that
 * the others can be read, but cannot be selected; {@code unsupported} says what it is.
 *
 * @param defaultValue one row: what files have that were written before the column was added
 */
record ScanColumn(
    Field field, int id, Optional<Column> defaultValue, Optional<String> unsupported) {

  DataType type() {
    return field.type();
  }

  String name() {
    return field.name();
  }
}
