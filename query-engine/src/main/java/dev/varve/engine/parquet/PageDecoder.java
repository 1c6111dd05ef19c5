package dev.varve.engine.parquet;

/**
 * The values of one page, nulls left out, read forward. Each encoding gives the physical types it
 * can hold; asking it for another means that the file contradicts itself. Confined to one task.
 */
abstract class PageDecoder {
  private final String encoding;

  PageDecoder(String encoding) {
    this.encoding = encoding;
  }

  void ints(int[] target, int at, int count) {
    throw wrongType("int32");
  }

  void longs(long[] target, int at, int count) {
    throw wrongType("int64");
  }

  void floats(float[] target, int at, int count) {
    throw wrongType("float");
  }

  void doubles(double[] target, int at, int count) {
    throw wrongType("double");
  }

  void booleans(byte[] target, int at, int count) {
    throw wrongType("boolean");
  }

  /** Appends values {@code at} to {@code at + count} of the sink. */
  void bytes(BytesSink sink, int at, int count) {
    throw wrongType("byte array");
  }

  abstract void skip(int count);

  final CorruptPageException wrongType(String type) {
    return new CorruptPageException("encoding " + encoding + " holds no " + type + " values");
  }

  static CorruptPageException tooFew(int wanted, long available) {
    return new CorruptPageException(
        "a page should hold " + wanted + " more values, but " + available + " bytes are left");
  }
}
