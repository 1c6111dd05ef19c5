package dev.varve.service.storage;

import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * Reads an object: ranges by one request each, from pooled connections and tried again when a
 * connection breaks; from start to end by Iceberg's stream, which is opened when it is needed.
 * Ranges may be read concurrently, the rest is confined to one thread.
 */
final class S3InputStream extends SeekableInputStream implements RangeReadable {
  private final S3Client client;
  private final S3Location at;
  private final InputFile file;
  private final Optional<String> etag;
  private @Nullable SeekableInputStream sequential;

  S3InputStream(S3Client client, S3Location at, InputFile file, Optional<String> etag) {
    this.client = client;
    this.at = at;
    this.file = file;
    this.etag = etag;
  }

  @Override
  public void readFully(long position, byte[] target, int offset, int length) {
    if (length > 0) {
      range("bytes=" + position + "-" + (position + length - 1), target, offset, length, true);
    }
  }

  @Override
  public int readTail(byte[] target, int offset, int length) {
    return length == 0 ? 0 : range("bytes=-" + length, target, offset, length, false);
  }

  private int range(String range, byte[] target, int offset, int length, boolean wholly) {
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(at.bucket())
            .key(at.key())
            .range(range)
            .ifMatch(etag.orElse(null))
            .build();
    ResponseTransformer<GetObjectResponse, Integer> fill =
        (response, body) -> {
          int done;
          try {
            done = body.readNBytes(target, offset, length);
          } catch (IOException e) {
            throw RetryableException.create("the connection broke while " + range + " came", e);
          }
          if (done < length && wholly) {
            throw new EOFException(done + " of " + length + " bytes came for " + range);
          }
          return done;
        };
    try {
      return client.getObject(request, fill);
    } catch (RuntimeException e) {
      throw S3Failures.of("read", file.location(), e);
    }
  }

  private SeekableInputStream sequential() {
    SeekableInputStream open = sequential;
    if (open == null) {
      open = S3Input.reading(file.location(), file::newStream);
      sequential = open;
    }
    return open;
  }

  @Override
  public long getPos() throws IOException {
    SeekableInputStream open = sequential;
    return open == null ? 0 : open.getPos();
  }

  @Override
  public void seek(long position) {
    S3Input.reading(
        file.location(),
        () -> {
          sequential().seek(position);
          return position;
        });
  }

  @Override
  public int read() {
    return S3Input.reading(file.location(), () -> sequential().read());
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    return S3Input.reading(file.location(), () -> sequential().read(target, offset, length));
  }

  @Override
  public void close() throws IOException {
    SeekableInputStream open = sequential;
    sequential = null;
    if (open != null) {
      open.close();
    }
  }
}
