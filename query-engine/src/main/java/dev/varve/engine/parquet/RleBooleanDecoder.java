package dev.varve.engine.parquet;

/** RLE booleans: a length of four bytes, then runs of one bit. */
final class RleBooleanDecoder extends PageDecoder {
  private final RleDecoder runs;

  RleBooleanDecoder(byte[] buffer, int start, int end) {
    super("RLE");
    if (end - start < 4) {
      throw tooFew(1, end - start);
    }
    // The length is not needed: the page's end bounds the runs.
    this.runs = new RleDecoder(buffer, start + 4, end, 1);
  }

  @Override
  void booleans(byte[] target, int at, int count) {
    runs.readBits(target, at, count);
  }

  @Override
  void skip(int count) {
    runs.skip(count);
  }
}
