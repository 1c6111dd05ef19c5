package dev.varve.layout.io;

import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.apache.iceberg.io.PositionOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a local file and has it on stable storage when {@link #close} returns. After a failed
 * write, closing fails too: half a file never looks like a finished one. A full disk is a {@link
 * VarveException}. Confined to one thread.
 */
final class LocalOutputStream extends PositionOutputStream {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final String location;
  private final Path path;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private long written;
  private boolean closed;
  private @Nullable VarveException failure;

  LocalOutputStream(String location, Path path, FileChannel channel) {
    this.location = location;
    this.path = path;
    this.channel = channel;
  }

  @Override
  public long getPos() {
    return written + buffer.position();
  }

  @Override
  public long storedLength() {
    return getPos();
  }

  @Override
  public void write(int value) throws IOException {
    if (!buffer.hasRemaining()) {
      flush();
    }
    ensureOpen();
    buffer.put((byte) value);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    ensureOpen();
    if (length <= buffer.remaining()) {
      buffer.put(source, offset, length);
      return;
    }
    flush();
    if (length < BUFFER_BYTES) {
      buffer.put(source, offset, length);
    } else {
      drain(ByteBuffer.wrap(source, offset, length));
    }
  }

  /** Hands the bytes to the operating system; only {@link #close} makes them durable. */
  @Override
  public void flush() throws IOException {
    ensureOpen();
    buffer.flip();
    drain(buffer);
    buffer.clear();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    try (channel) {
      if (failure == null) {
        flush();
        channel.force(true);
        forceDirectory();
      }
    } catch (IOException e) {
      failure = LocalFailures.of("write", location, e);
    } finally {
      closed = true;
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void drain(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        written += channel.write(bytes);
      }
    } catch (IOException e) {
      failure = LocalFailures.of("write", location, e);
      throw failure;
    }
  }

  /** A new name is durable only when its directory is. */
  private void forceDirectory() throws IOException {
    Path directory = path.getParent();
    if (directory != null) {
      try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  private void ensureOpen() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (closed) {
      throw new IOException("'" + location + "' is closed");
    }
  }
}
