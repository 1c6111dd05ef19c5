package dev.varve.writer.option;

import java.util.Locale;

/** Compression codecs that pages may have. */
public enum Codec {
  UNCOMPRESSED,
  SNAPPY,
  GZIP,
  LZ4_RAW,
  ZSTD;

  /** As options write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
