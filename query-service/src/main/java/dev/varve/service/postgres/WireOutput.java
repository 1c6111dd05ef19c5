package dev.varve.service.postgres;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Messages to a client, gathered until there are enough or {@link #flush}; a client that does not
 * read holds the thread that writes. Confined to the connection's thread.
 */
final class WireOutput {
  private static final int FLUSH_BYTES = 64 << 10;

  private final OutputStream out;
  private byte[] buffer = new byte[FLUSH_BYTES];
  private int size;
  private int start;

  WireOutput(OutputStream out) {
    this.out = out;
  }

  /** A single byte, which is no message: the answer to a request for encryption. */
  void raw(char answer) throws IOException {
    out.write(answer);
    out.flush();
  }

  WireOutput begin(char type) {
    ensure(5);
    buffer[size++] = (byte) type;
    start = size;
    size += 4;
    return this;
  }

  void end() throws IOException {
    putInt(start, size - start);
    if (size >= FLUSH_BYTES) {
      flush();
    }
  }

  void flush() throws IOException {
    out.write(buffer, 0, size);
    out.flush();
    size = 0;
    if (buffer.length > 4 * FLUSH_BYTES) {
      buffer = new byte[FLUSH_BYTES];
    }
  }

  WireOutput int8(int value) {
    ensure(1);
    buffer[size++] = (byte) value;
    return this;
  }

  WireOutput int16(int value) {
    ensure(2);
    buffer[size++] = (byte) (value >> 8);
    buffer[size++] = (byte) value;
    return this;
  }

  WireOutput int32(int value) {
    ensure(4);
    putInt(size, value);
    size += 4;
    return this;
  }

  WireOutput int64(long value) {
    return int32((int) (value >> 32)).int32((int) value);
  }

  WireOutput string(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8)).int8(0);
  }

  WireOutput bytes(byte[] value) {
    return bytes(value, 0, value.length);
  }

  WireOutput bytes(byte[] value, int from, int count) {
    ensure(count);
    System.arraycopy(value, from, buffer, size, count);
    size += count;
    return this;
  }

  private void putInt(int at, int value) {
    buffer[at] = (byte) (value >> 24);
    buffer[at + 1] = (byte) (value >> 16);
    buffer[at + 2] = (byte) (value >> 8);
    buffer[at + 3] = (byte) value;
  }

  private void ensure(int more) {
    if (size + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + more));
    }
  }
}
