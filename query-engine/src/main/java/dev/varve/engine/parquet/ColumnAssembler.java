package dev.varve.engine.parquet;

import dev.varve.engine.batch.Column;
import dev.varve.engine.type.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Builds the columns of one chunk, a batch at a time, from pieces of pages. Values arrive dense at
 * the place of their first row and are spread in place where there are nulls. Confined to one task.
 */
abstract class ColumnAssembler {
  final DataType type;

  ColumnAssembler(DataType type) {
    this.type = type;
  }

  static ColumnAssembler of(DataType type, ValueConversion conversion) {
    return switch (type.physical()) {
      case BOOLEAN -> new FixedAssemblers.Booleans(type);
      case INT -> new FixedAssemblers.Ints(type);
      case LONG -> new FixedAssemblers.Longs(type, conversion);
      case INT128 -> new FixedAssemblers.Int128s(type, conversion);
      case FLOAT -> new FixedAssemblers.Floats(type, conversion);
      case DOUBLE -> new FixedAssemblers.Doubles(type, conversion);
      case BYTES -> new BytesAssembler(type);
    };
  }

  /** Starts a column of {@code rows} rows in new arrays. */
  abstract void begin(int rows);

  /** Decodes {@code count} values to rows from {@code at} on. */
  abstract void decode(PageDecoder decoder, int at, int count);

  /** The dictionary that codes refer to from now on: flat, of this assembler's type. */
  abstract void dictionary(Column dictionary);

  /** Looks {@code codes[0..count)} up for rows from {@code at} on. */
  abstract void lookUp(int[] codes, int at, int count);

  /** The first {@code rows} rows are null. */
  void empty(int rows) {}

  /** Moves {@code dense} values from row {@code at} on apart to the valid ones of {@code count}. */
  abstract void spread(int at, int count, int dense, byte[] validity);

  abstract Column finish(int rows, byte @Nullable [] validity);
}
