package dev.varve.layout.key;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable encoded key or bound; ordered as unsigned bytes, which is the order of the values it
 * stands for.
 */
public final class EncodedKey implements Comparable<EncodedKey> {
  /** Longest key the catalog stores; longer ones are cut conservatively. */
  public static final int MAX_BYTES = 256;

  private final byte[] bytes;

  private EncodedKey(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Copies {@code bytes}. */
  public static EncodedKey of(byte[] bytes) {
    return new EncodedKey(bytes.clone());
  }

  public static EncodedKey of(byte[] bytes, int offset, int length) {
    return new EncodedKey(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  public byte[] toByteArray() {
    return bytes.clone();
  }

  public int length() {
    return bytes.length;
  }

  public byte byteAt(int index) {
    return bytes[index];
  }

  @Override
  public int compareTo(EncodedKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EncodedKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
