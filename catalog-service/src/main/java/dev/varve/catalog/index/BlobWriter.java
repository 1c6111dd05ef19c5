package dev.varve.catalog.index;

import dev.varve.layout.key.EncodedKey;
import java.io.ByteArrayOutputStream;

/** Appends varints (LEB128 of unsigned 64 bits) and keys to a blob. */
final class BlobWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) (rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  void key(EncodedKey key) {
    varint(key.length());
    bytes.writeBytes(key.toByteArray());
  }

  /** The bytes alone, without their count. */
  void bytes(byte[] value) {
    bytes.writeBytes(value);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }
}
