package dev.varve.catalog.index;

import dev.varve.layout.key.EncodedKey;
import java.util.Arrays;

/** Reads what {@link BlobWriter} wrote; anything else is an IllegalStateException. */
final class BlobReader {
  private final byte[] bytes;
  private int at;

  BlobReader(byte[] bytes) {
    this(bytes, 0);
  }

  BlobReader(byte[] bytes, int at) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Where the next is read. */
  int position() {
    return at;
  }

  long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at == bytes.length) {
        break;
      }
      byte next = bytes[at++];
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalStateException("no number ends at byte " + at + " of a facts blob");
  }

  int integer() {
    long value = varint();
    if (value != (int) value) {
      throw new IllegalStateException(value + " in a facts blob is no integer");
    }
    return (int) value;
  }

  /** A count of things of at least one byte each. */
  int count() {
    long count = varint();
    if (count < 0 || count > bytes.length - at) {
      throw new IllegalStateException("a facts blob of " + bytes.length + " bytes counts " + count);
    }
    return (int) count;
  }

  EncodedKey key() {
    int length = count();
    EncodedKey key = EncodedKey.of(bytes, at, length);
    at += length;
    return key;
  }

  byte[] bytes(int length) {
    if (length > bytes.length - at) {
      throw new IllegalStateException(
          "a facts blob of " + bytes.length + " bytes ends before " + length + " bytes are read");
    }
    byte[] read = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return read;
  }

  void skipKey() {
    int length = count();
    at += length;
  }

  void end() {
    if (at != bytes.length) {
      throw new IllegalStateException((bytes.length - at) + " bytes are left in a facts blob");
    }
  }
}
