package dev.varve.layout.io;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** One local file to read; safe for concurrent use, its streams are not. */
final class LocalInputFile implements InputFile {
  private final String location;
  private final Path path;

  LocalInputFile(String location, Path path) {
    this.location = location;
    this.path = path;
  }

  @Override
  public long getLength() {
    try {
      return regular(Files.readAttributes(path, BasicFileAttributes.class)).size();
    } catch (IOException e) {
      throw LocalFailures.of("read", location, e);
    }
  }

  @Override
  public SeekableInputStream newStream() {
    try {
      if (Files.isDirectory(path)) {
        throw notAFile();
      }
      return new LocalInputStream(location, FileChannel.open(path, StandardOpenOption.READ));
    } catch (IOException e) {
      throw LocalFailures.of("read", location, e);
    }
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public boolean exists() {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).isRegularFile();
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      // "Not there" would be a guess: a directory above may be unreadable.
      throw LocalFailures.of("read", location, e);
    }
  }

  @Override
  public String toString() {
    return location;
  }

  private BasicFileAttributes regular(BasicFileAttributes attributes) {
    if (attributes.isDirectory()) {
      throw notAFile();
    }
    return attributes;
  }

  private VarveException notAFile() {
    return new VarveException(
        ErrorCode.IO_ERROR, "cannot read '" + location + "': it is a directory");
  }
}
