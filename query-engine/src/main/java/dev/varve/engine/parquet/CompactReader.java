package dev.varve.engine.parquet;

/**
 * Thrift's compact protocol over an array, every read checked against the end. It reads page
 * headers without allocating, and checks larger structures before a general parser sees them: that
 * one trusts the sizes it reads.
 */
final class CompactReader {
  static final int STOP = 0;
  static final int TRUE = 1;
  static final int FALSE = 2;
  static final int BYTE = 3;
  static final int I16 = 4;
  static final int I32 = 5;
  static final int I64 = 6;
  static final int DOUBLE = 7;
  static final int BINARY = 8;
  static final int LIST = 9;
  static final int SET = 10;
  static final int MAP = 11;
  static final int STRUCT = 12;
  static final int UUID = 13;

  private static final int MAX_DEPTH = 64;

  private final byte[] buffer;
  private final int end;
  private int position;
  private int fieldId;

  CompactReader(byte[] buffer, int start, int end) {
    this.buffer = buffer;
    this.position = start;
    this.end = end;
  }

  /** Fails unless a whole struct stands here whose sizes all fit the bytes that follow them. */
  static void checkStruct(byte[] buffer, int start, int end) {
    new CompactReader(buffer, start, end).skip(STRUCT, 0);
  }

  int position() {
    return position;
  }

  /** The type of the next field of the struct; its id is in {@link #fieldId()}. */
  int nextField(int previousId) {
    int header = readByte();
    int type = header & 0x0f;
    if (type == STOP) {
      return STOP;
    }
    int delta = (header >>> 4) & 0x0f;
    fieldId = delta == 0 ? (int) zigzag() : previousId + delta;
    return type;
  }

  int fieldId() {
    return fieldId;
  }

  int readByte() {
    if (position >= end) {
      throw new CorruptPageException("a header ends in the middle");
    }
    return buffer[position++];
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int b = readByte();
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new CorruptPageException("a number in a header has more than 10 bytes");
  }

  long zigzag() {
    long value = varint();
    return (value >>> 1) ^ -(value & 1);
  }

  int i32() {
    long value = zigzag();
    if (value != (int) value) {
      throw new CorruptPageException("a header holds " + value + " where 32 bits are expected");
    }
    return (int) value;
  }

  void skip(int type) {
    skip(type, 0);
  }

  private void skip(int type, int depth) {
    if (depth > MAX_DEPTH) {
      throw new CorruptPageException("a header is nested more than " + MAX_DEPTH + " deep");
    }
    switch (type) {
      case TRUE, FALSE -> {}
      case BYTE -> readByte();
      case I16, I32, I64 -> varint();
      case DOUBLE -> advance(8);
      case UUID -> advance(16);
      case BINARY -> advance(varint());
      case LIST, SET -> skipList(depth);
      case MAP -> skipMap(depth);
      case STRUCT -> {
        int id = 0;
        for (int field = nextField(id); field != STOP; field = nextField(id)) {
          id = fieldId;
          skip(field, depth + 1);
        }
      }
      default -> throw new CorruptPageException("a header has a field of unknown type " + type);
    }
  }

  private void skipList(int depth) {
    int header = readByte() & 0xff;
    long size = header >>> 4;
    if (size == 15) {
      size = varint();
    }
    checkCount(size);
    int type = header & 0x0f;
    for (long i = 0; i < size; i++) {
      skipElement(type, depth);
    }
  }

  private void skipMap(int depth) {
    long size = varint();
    checkCount(size);
    if (size == 0) {
      return;
    }
    int types = readByte() & 0xff;
    for (long i = 0; i < size; i++) {
      skipElement(types >>> 4, depth);
      skipElement(types & 0x0f, depth);
    }
  }

  /** Unlike a field, a boolean in a collection is a byte of its own. */
  private void skipElement(int type, int depth) {
    if (type == TRUE || type == FALSE) {
      readByte();
    } else {
      skip(type, depth + 1);
    }
  }

  private void checkCount(long size) {
    if (size < 0 || size > end - position) {
      throw new CorruptPageException(
          "a header promises " + size + " entries in " + (end - position) + " bytes");
    }
  }

  private void advance(long bytes) {
    if (bytes < 0 || bytes > end - position) {
      throw new CorruptPageException(
          "a header promises " + bytes + " bytes where " + (end - position) + " follow");
    }
    position += (int) bytes;
  }
}
