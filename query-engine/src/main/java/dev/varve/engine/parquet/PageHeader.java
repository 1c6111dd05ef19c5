package dev.varve.engine.parquet;

/** The header of a page; field numbers are those of {@code parquet.thrift}. */
record PageHeader(
    Kind kind,
    int headerBytes,
    int uncompressedBytes,
    int compressedBytes,
    boolean hasCrc,
    int crc,
    int values,
    int encoding,
    int definitionEncoding,
    int definitionBytes,
    int repetitionBytes,
    boolean compressed) {

  enum Kind {
    DATA_V1,
    DATA_V2,
    DICTIONARY,
    /** Index pages and what later versions add: to be passed over. */
    OTHER
  }

  /** Encodings, as the format numbers them. */
  static final int PLAIN = 0;

  static final int PLAIN_DICTIONARY = 2;
  static final int RLE = 3;
  static final int BIT_PACKED = 4;
  static final int DELTA_BINARY_PACKED = 5;
  static final int DELTA_LENGTH_BYTE_ARRAY = 6;
  static final int DELTA_BYTE_ARRAY = 7;
  static final int RLE_DICTIONARY = 8;
  static final int BYTE_STREAM_SPLIT = 9;

  static PageHeader parse(byte[] buffer, int start, int end) {
    CompactReader reader = new CompactReader(buffer, start, end);
    int type = -1;
    int uncompressed = -1;
    int compressed = -1;
    boolean hasCrc = false;
    int crc = 0;
    Body body = null;
    int id = 0;
    for (int field = reader.nextField(id); field != 0; field = reader.nextField(id)) {
      id = reader.fieldId();
      switch (id) {
        case 1 -> type = integer(reader, field);
        case 2 -> uncompressed = integer(reader, field);
        case 3 -> compressed = integer(reader, field);
        case 4 -> {
          crc = integer(reader, field);
          hasCrc = true;
        }
        case 5 -> body = struct(reader, field, new Body(), 1);
        case 7 -> body = struct(reader, field, new Body(), 2);
        case 8 -> body = struct(reader, field, new Body(), 3);
        default -> reader.skip(field);
      }
    }
    Kind kind =
        switch (type) {
          case 0 -> Kind.DATA_V1;
          case 2 -> Kind.DICTIONARY;
          case 3 -> Kind.DATA_V2;
          default -> Kind.OTHER;
        };
    if (uncompressed < 0 || compressed < 0) {
      throw new CorruptPageException(
          "a page header says "
              + compressed
              + " compressed and "
              + uncompressed
              + " uncompressed bytes");
    }
    int expected =
        switch (kind) {
          case DATA_V1 -> 1;
          case DICTIONARY -> 2;
          case DATA_V2 -> 3;
          case OTHER -> 0;
        };
    if (body == null) {
      body = new Body();
    }
    if (expected != 0
        && (body.shape != expected
            || body.values < 0
            || body.definitionBytes < 0
            || body.repetitionBytes < 0
            || (long) body.definitionBytes + body.repetitionBytes > compressed)) {
      throw new CorruptPageException("the header of a " + kind + " page is incomplete");
    }
    return new PageHeader(
        kind,
        reader.position() - start,
        uncompressed,
        compressed,
        hasCrc,
        crc,
        body.values,
        body.encoding,
        body.definitionEncoding,
        body.definitionBytes,
        body.repetitionBytes,
        body.compressed);
  }

  private static final class Body {
    int shape;
    int values = -1;
    int encoding = -1;
    int definitionEncoding = RLE;
    int definitionBytes;
    int repetitionBytes;
    boolean compressed = true;
  }

  private static Body struct(CompactReader reader, int type, Body body, int shape) {
    if (type != CompactReader.STRUCT) {
      throw new CorruptPageException("a page header has a field of the wrong type");
    }
    body.shape = shape;
    int id = 0;
    for (int field = reader.nextField(id); field != 0; field = reader.nextField(id)) {
      id = reader.fieldId();
      int place = shape * 10 + id;
      switch (place) {
        case 11, 21, 31 -> body.values = integer(reader, field);
        case 12, 22, 34 -> body.encoding = integer(reader, field);
        case 13 -> body.definitionEncoding = integer(reader, field);
        case 35 -> body.definitionBytes = integer(reader, field);
        case 36 -> body.repetitionBytes = integer(reader, field);
        case 37 -> body.compressed = field == CompactReader.TRUE;
        default -> reader.skip(field);
      }
    }
    return body;
  }

  private static int integer(CompactReader reader, int type) {
    if (type != CompactReader.I32 && type != CompactReader.I64 && type != CompactReader.I16) {
      throw new CorruptPageException("a page header has a field of the wrong type");
    }
    return reader.i32();
  }
}
