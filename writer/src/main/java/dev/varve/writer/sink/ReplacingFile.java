package dev.varve.writer.sink;

import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/** A file that takes the place of one that may be there. */
record ReplacingFile(OutputFile file) implements OutputFile {
  @Override
  public PositionOutputStream create() {
    return file.createOrOverwrite();
  }

  @Override
  public PositionOutputStream createOrOverwrite() {
    return file.createOrOverwrite();
  }

  @Override
  public String location() {
    return file.location();
  }

  @Override
  public InputFile toInputFile() {
    return file.toInputFile();
  }
}
