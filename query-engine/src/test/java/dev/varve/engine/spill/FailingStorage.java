package dev.varve.engine.spill;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Files on a device that fills up after some bytes, or cannot be read after some reads. */
public final class FailingStorage implements SpillStorage {
  private final AtomicLong room;
  private final AtomicLong reads;

  private FailingStorage(long room, long reads) {
    this.room = new AtomicLong(room);
    this.reads = new AtomicLong(reads);
  }

  public static FailingStorage fullAfter(long bytes) {
    return new FailingStorage(bytes, Long.MAX_VALUE);
  }

  public static FailingStorage unreadableAfter(long reads) {
    return new FailingStorage(Long.MAX_VALUE, reads);
  }

  @Override
  public Handle create(Path file) throws IOException {
    Handle handle = SpillStorage.files().create(file);
    return new Handle() {
      @Override
      public void write(ByteBuffer from, long position) throws IOException {
        if (room.addAndGet(-from.remaining()) < 0) {
          throw new IOException("No space left on device");
        }
        handle.write(from, position);
      }

      @Override
      public int read(ByteBuffer to, long position) throws IOException {
        if (reads.decrementAndGet() < 0) {
          throw new IOException("Input/output error");
        }
        return handle.read(to, position);
      }

      @Override
      public void close() throws IOException {
        handle.close();
      }
    };
  }
}
