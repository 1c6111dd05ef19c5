package dev.varve.service.storage;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.Tagged;
import java.io.IOException;
import java.util.Optional;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * One object to read. Once its length was asked for, its version is known, and every range is of
 * that version: an object that is replaced meanwhile is an error, never a mixture. Safe for
 * concurrent use, its streams are not.
 */
final class S3Input implements InputFile, Tagged {
  private final S3Client client;
  private final InputFile sequential;
  private final S3Location at;
  private final long knownLength;
  private volatile @Nullable HeadObjectResponse head;

  /**
   * @param sequential the same object as Iceberg reads it from its start
   * @param knownLength -1 if it is to be asked for
   */
  S3Input(S3Client client, InputFile sequential, long knownLength) {
    this.client = client;
    this.sequential = sequential;
    this.at = S3Location.of(sequential.location());
    this.knownLength = knownLength;
  }

  @Override
  public long getLength() {
    return knownLength >= 0 ? knownLength : head().contentLength();
  }

  @Override
  public Optional<String> etag() {
    HeadObjectResponse known = head;
    return known == null ? Optional.empty() : Optional.ofNullable(known.eTag());
  }

  private HeadObjectResponse head() {
    HeadObjectResponse known = head;
    if (known == null) {
      try {
        known = client.headObject(r -> r.bucket(at.bucket()).key(at.key()));
      } catch (RuntimeException e) {
        throw S3Failures.of("read", location(), e);
      }
      head = known;
    }
    return known;
  }

  @Override
  public boolean exists() {
    try {
      head();
      return true;
    } catch (VarveException e) {
      if (e.code() == ErrorCode.FILE_NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public SeekableInputStream newStream() {
    return new S3InputStream(client, at, sequential, etag());
  }

  @Override
  public String location() {
    return sequential.location();
  }

  @Override
  public String toString() {
    return location();
  }

  /** Runs a read; its failure becomes one that a stream may throw. */
  static <T> T reading(String location, Read<T> read) {
    try {
      return read.run();
    } catch (IOException | RuntimeException e) {
      throw S3Failures.of("read", location, e);
    }
  }

  /** A read from a stream. */
  @FunctionalInterface
  interface Read<T> {
    T run() throws IOException;
  }
}
