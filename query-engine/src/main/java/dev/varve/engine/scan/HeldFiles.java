package dev.varve.engine.scan;

import java.util.HashMap;
import java.util.Map;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/**
 * Files of one statement, found once: all reads are of the version that was found, where the store
 * can tell versions apart. Filled by one thread, then safe for concurrent reads.
 */
final class HeldFiles implements FileIO {
  private static final long serialVersionUID = 1L;

  private final transient FileIO io;
  private final transient Map<String, InputFile> files = new HashMap<>();

  HeldFiles(FileIO io) {
    this.io = io;
  }

  InputFile hold(String location) {
    return files.computeIfAbsent(location, io::newInputFile);
  }

  @Override
  public InputFile newInputFile(String location) {
    InputFile held = files.get(location);
    return held == null ? io.newInputFile(location) : held;
  }

  @Override
  public InputFile newInputFile(String location, long length) {
    return newInputFile(location);
  }

  @Override
  public OutputFile newOutputFile(String location) {
    throw new UnsupportedOperationException("files of a FROM are read only: " + location);
  }

  @Override
  public void deleteFile(String location) {
    throw new UnsupportedOperationException("files of a FROM are read only: " + location);
  }
}
