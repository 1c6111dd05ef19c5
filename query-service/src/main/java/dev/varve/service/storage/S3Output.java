package dev.varve.service.storage;

import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;
import software.amazon.awssdk.services.s3.S3Client;

/** One object to write. */
final class S3Output implements OutputFile {
  private final S3Files files;
  private final S3Client client;
  private final String location;
  private final S3Location at;

  S3Output(S3Files files, S3Client client, String location) {
    this.files = files;
    this.client = client;
    this.location = location;
    this.at = S3Location.of(location);
  }

  /** Whether the object exists is found out by the request that makes it appear. */
  @Override
  public PositionOutputStream create() {
    return new S3Upload(client, at, location, false);
  }

  @Override
  public PositionOutputStream createOrOverwrite() {
    return new S3Upload(client, at, location, true);
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public InputFile toInputFile() {
    return files.newInputFile(location);
  }

  @Override
  public String toString() {
    return location;
  }
}
