package dev.varve.layout.io;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** One local file to write; directories above it are made. */
final class LocalOutputFile implements OutputFile {
  private final String location;
  private final Path path;

  LocalOutputFile(String location, Path path) {
    this.location = location;
    this.path = path;
  }

  /** Fails with Iceberg's AlreadyExistsException when the file exists, whoever creates it. */
  @Override
  public PositionOutputStream create() {
    makeDirectory();
    try {
      return open(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new AlreadyExistsException(e, "File already exists: %s", location);
    } catch (IOException e) {
      throw LocalFailures.of("write", location, e);
    }
  }

  @Override
  public PositionOutputStream createOrOverwrite() {
    makeDirectory();
    try {
      return open(
          StandardOpenOption.WRITE,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      throw LocalFailures.of("write", location, e);
    }
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public InputFile toInputFile() {
    return new LocalInputFile(location, path);
  }

  @Override
  public String toString() {
    return location;
  }

  private PositionOutputStream open(OpenOption... options) throws IOException {
    return new LocalOutputStream(location, path, FileChannel.open(path, options));
  }

  private void makeDirectory() {
    Path directory = path.getParent();
    if (directory == null) {
      throw new VarveException(
          ErrorCode.IO_ERROR, "cannot write '" + location + "': it is a directory");
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw LocalFailures.of("write", location, e);
    }
  }
}
