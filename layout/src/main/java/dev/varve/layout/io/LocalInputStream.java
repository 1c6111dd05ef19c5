package dev.varve.layout.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * Reads a local file. The sequential part is buffered and confined to one thread; ranges ({@link
 * RangeReadable}) are positional reads that leave the position alone and may run concurrently.
 */
final class LocalInputStream extends SeekableInputStream implements RangeReadable {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final String location;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);

  /** Where the file goes on after the buffer's limit. */
  private long next;

  LocalInputStream(String location, FileChannel channel) {
    this.location = location;
    this.channel = channel;
  }

  @Override
  public long getPos() {
    return next - buffer.remaining();
  }

  @Override
  public void seek(long position) throws IOException {
    if (position < 0) {
      throw new IOException("cannot seek to " + position + " in '" + location + "'");
    }
    long bufferStart = next - buffer.limit();
    if (position >= bufferStart && position <= next) {
      buffer.position((int) (position - bufferStart));
    } else {
      next = position;
      buffer.limit(0);
    }
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (!buffer.hasRemaining() && length >= BUFFER_BYTES) {
      int count = channel.read(ByteBuffer.wrap(target, offset, length), next);
      if (count > 0) {
        next += count;
        buffer.limit(0);
      }
      return count;
    }
    if (!fill()) {
      return -1;
    }
    int count = Math.min(length, buffer.remaining());
    buffer.get(target, offset, count);
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    long position = getPos();
    long skipped = Math.max(0, Math.min(count, channel.size() - position));
    seek(position + skipped);
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.clamp(channel.size() - getPos(), 0, Integer.MAX_VALUE);
  }

  @Override
  public void readFully(long position, byte[] target, int offset, int length) throws IOException {
    ByteBuffer into = ByteBuffer.wrap(target, offset, length);
    long at = position;
    while (into.hasRemaining()) {
      int count = channel.read(into, at);
      if (count < 0) {
        throw new EOFException(
            String.format(
                "'%s' ends at byte %d, but %d bytes from %d are wanted",
                location, channel.size(), length, position));
      }
      at += count;
    }
  }

  @Override
  public int readTail(byte[] target, int offset, int length) throws IOException {
    long size = channel.size();
    int count = (int) Math.min(length, size);
    readFully(size - count, target, offset, count);
    return count;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** Whether the buffer has a byte; false at the end of the file. */
  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    buffer.clear();
    int count = channel.read(buffer, next);
    buffer.flip();
    if (count <= 0) {
      buffer.limit(0);
      return false;
    }
    next += count;
    return true;
  }
}
