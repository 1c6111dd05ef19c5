package dev.varve.engine.parquet;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import java.util.function.LongConsumer;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open file, read by ranges; every byte that is read is counted. The stream is opened at the
 * first read. Confined to one task.
 */
public final class ParquetInput implements AutoCloseable {
  /** Runs a read that may wait. */
  @FunctionalInterface
  public interface Blocking {
    <T> T run(Callable<T> wait);
  }

  /** For callers that hold no core. */
  public static final Blocking DIRECT =
      new Blocking() {
        @Override
        public <T> T run(Callable<T> wait) {
          try {
            return wait.call();
          } catch (RuntimeException e) {
            throw e;
          } catch (Exception e) {
            throw new VarveException(ErrorCode.IO_ERROR, "cannot read: " + e.getMessage(), e);
          }
        }
      };

  private static final Logger LOG = LoggerFactory.getLogger(ParquetInput.class);

  private final InputFile file;
  private final long size;
  private final Blocking blocking;
  private final LongConsumer bytesRead;
  private @Nullable SeekableInputStream stream;

  public ParquetInput(InputFile file, long size, Blocking blocking, LongConsumer bytesRead) {
    this.file = file;
    this.size = size;
    this.blocking = blocking;
    this.bytesRead = bytesRead;
  }

  /** A file whose length is asked of its store. */
  public static ParquetInput open(InputFile file, Blocking blocking, LongConsumer bytesRead) {
    long length =
        blocking.run(
            () -> {
              try {
                return file.getLength();
              } catch (RuntimeException e) {
                throw failure(file.location(), e);
              }
            });
    return new ParquetInput(file, length, blocking, bytesRead);
  }

  public String path() {
    return file.location();
  }

  public long size() {
    return size;
  }

  /** Fills {@code target[at .. at + length)} from {@code position}. */
  public void readFully(long position, byte[] target, int at, int length) {
    if (position < 0 || length < 0 || position + length > size) {
      throw new VarveException(
          ErrorCode.FILE_CORRUPT,
          path()
              + ": bytes "
              + position
              + " to "
              + (position + length)
              + " are needed, but the file has "
              + size);
    }
    blocking.run(
        () -> {
          read(position, target, at, length);
          return true;
        });
    bytesRead.accept(length);
  }

  private void read(long position, byte[] target, int at, int length) {
    try {
      SeekableInputStream open = stream;
      if (open == null) {
        open = file.newStream();
        stream = open;
      }
      if (open instanceof RangeReadable ranges) {
        ranges.readFully(position, target, at, length);
        return;
      }
      if (open.getPos() != position) {
        open.seek(position);
      }
      int done = open.readNBytes(target, at, length);
      if (done < length) {
        throw new EOFException(done + " of " + length + " bytes");
      }
    } catch (EOFException e) {
      throw new VarveException(
          ErrorCode.FILE_CORRUPT,
          path()
              + ": the file is shorter than the "
              + size
              + " bytes it should have: it ends within bytes "
              + position
              + " to "
              + (position + length),
          e);
    } catch (IOException | RuntimeException e) {
      throw failure(path(), e);
    }
  }

  /** What a failed access to a file means to its user. */
  static VarveException failure(String path, Exception e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof VarveException known) {
        return known;
      }
      if (cause instanceof NotFoundException
          || cause instanceof FileNotFoundException
          || cause instanceof NoSuchFileException) {
        return new VarveException(
            ErrorCode.FILE_NOT_FOUND, "file '" + path + "' does not exist", e);
      }
    }
    return new VarveException(
        ErrorCode.IO_ERROR, "cannot read file '" + path + "': " + e.getMessage(), e);
  }

  /** Never throws: everything that was wanted of the file has been read. */
  @Override
  public void close() {
    SeekableInputStream open = stream;
    stream = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.debug("closing {} failed", path(), e);
      }
    }
  }
}
