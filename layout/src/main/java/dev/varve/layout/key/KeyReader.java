package dev.varve.layout.key;

import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import dev.varve.layout.key.KeyEncoding.Part;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the parts of a composite key one after the other. */
final class KeyReader {
  private final byte[] bytes;
  private int at;

  KeyReader(byte[] bytes) {
    this.bytes = bytes;
  }

  @Nullable Object next(Part part) {
    byte tag = byteAt(at++);
    if (tag != KeyEncoding.VALUE) {
      byte expected =
          part.nullOrder() == NullOrder.NULLS_FIRST
              ? KeyEncoding.NULL_FIRST
              : KeyEncoding.NULL_LAST;
      if (tag != expected) {
        throw new IllegalStateException("tag " + tag + " in a key part of " + part);
      }
      return null;
    }
    int mask = part.direction() == SortDirection.DESC ? 0xFF : 0;
    return switch (part.type()) {
      case BOOLEAN -> KeyEncoding.decodeBoolean(fixed(1, mask)[0]);
      case INTEGRAL -> KeyEncoding.decodeLong(fixed(8, mask));
      case FLOATING -> KeyEncoding.decodeDouble(fixed(8, mask));
      case DECIMAL -> {
        int header = (byteAt(at) ^ mask) & 0xFF;
        yield KeyEncoding.decodeDecimal(fixed(1 + KeyEncoding.decimalLength(header), mask));
      }
      case STRING -> new String(terminated(mask), StandardCharsets.UTF_8);
      case BINARY -> terminated(mask);
      case UUID -> KeyEncoding.decodeUuid(fixed(16, mask));
    };
  }

  void end() {
    if (at != bytes.length) {
      throw new IllegalStateException((bytes.length - at) + " bytes are left after the last part");
    }
  }

  private byte[] fixed(int count, int mask) {
    if (at + count > bytes.length) {
      throw new IllegalStateException("the key ends within a part: is it truncated?");
    }
    byte[] value = Arrays.copyOfRange(bytes, at, at + count);
    for (int i = 0; i < count; i++) {
      value[i] ^= (byte) mask;
    }
    at += count;
    return value;
  }

  private byte[] terminated(int mask) {
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    while (true) {
      int next = (byteAt(at++) ^ mask) & 0xFF;
      if (next != 0) {
        value.write(next);
        continue;
      }
      int escape = (byteAt(at++) ^ mask) & 0xFF;
      if (escape == 0x01) {
        return value.toByteArray();
      }
      if (escape != 0xFF) {
        throw new IllegalStateException("byte " + escape + " after 00 in a key");
      }
      value.write(0);
    }
  }

  private byte byteAt(int index) {
    if (index >= bytes.length) {
      throw new IllegalStateException("the key ends within a part: is it truncated?");
    }
    return bytes[index];
  }
}
