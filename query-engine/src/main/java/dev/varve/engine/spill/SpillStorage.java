package dev.varve.engine.spill;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** How files of a spill folder are made. Safe for concurrent use. */
public interface SpillStorage {

  /** A new, empty file. */
  Handle create(Path file) throws IOException;

  /** An open file, read and written by position. Safe for concurrent use. */
  interface Handle extends Closeable {
    /** Writes all of the buffer. */
    void write(ByteBuffer from, long position) throws IOException;

    /** Reads at least one byte; -1 at the end of the file. */
    int read(ByteBuffer to, long position) throws IOException;
  }

  /** Files that only the process's user may read. */
  static SpillStorage files() {
    return file -> {
      FileChannel channel =
          FileChannel.open(
              file,
              Set.of(
                  StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
              ownerOnly(file, "rw-------"));
      return new Handle() {
        @Override
        public void write(ByteBuffer from, long position) throws IOException {
          long at = position;
          while (from.hasRemaining()) {
            at += channel.write(from, at);
          }
        }

        @Override
        public int read(ByteBuffer to, long position) throws IOException {
          return channel.read(to, position);
        }

        @Override
        public void close() throws IOException {
          channel.close();
        }
      };
    };
  }

  /** The permissions as attributes, where the file system has them. */
  static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
