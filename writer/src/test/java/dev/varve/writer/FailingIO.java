package dev.varve.writer;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** Fails once so many bytes of data files have been written; knows which files exist. */
final class FailingIO implements FileIO {
  private static final long serialVersionUID = 1L;

  private final transient FileIO io;
  private final long failAfterBytes;
  private final String message;
  final Set<String> existing = new ConcurrentSkipListSet<>();
  boolean fired;
  private long written;

  FailingIO(FileIO io, long failAfterBytes, String message) {
    this.io = io;
    this.failAfterBytes = failAfterBytes;
    this.message = message;
  }

  @Override
  public InputFile newInputFile(String path) {
    return io.newInputFile(path);
  }

  @Override
  public void deleteFile(String path) {
    existing.remove(path);
    io.deleteFile(path);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    OutputFile file = io.newOutputFile(path);
    return new OutputFile() {
      @Override
      public PositionOutputStream create() {
        existing.add(path);
        return new FailingStream(file.create());
      }

      @Override
      public PositionOutputStream createOrOverwrite() {
        return create();
      }

      @Override
      public String location() {
        return path;
      }

      @Override
      public InputFile toInputFile() {
        return file.toInputFile();
      }
    };
  }

  private final class FailingStream extends PositionOutputStream {
    private final PositionOutputStream stream;

    FailingStream(PositionOutputStream stream) {
      this.stream = stream;
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      written += count;
      if (written > failAfterBytes) {
        fired = true;
        throw new IOException(message);
      }
      stream.write(bytes, offset, count);
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
