package dev.varve.service.storage;

import dev.varve.layout.io.Abortable;
import dev.varve.layout.io.Tagged;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.PositionOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * Writes one object, which appears when {@link #close} returns, and never in part: a small one by
 * one request, a larger one by parts of which at most {@link #PARTS_IN_FLIGHT} are on their way
 * while the next one fills. After a failure closing fails too, and the parts are given up. Confined
 * to one thread.
 */
final class S3Upload extends PositionOutputStream implements Abortable, Tagged {
  private static final Logger LOG = LoggerFactory.getLogger(S3Upload.class);

  static final int PART_BYTES = 8 << 20;
  static final int PARTS_IN_FLIGHT = 2;
  private static final int FIRST_BYTES = 64 << 10;

  /** Stores take ten thousand parts: later ones are larger, so that any object fits. */
  private static final int PARTS_OF_A_SIZE = 2_000;

  private static final int LARGEST_SHIFT = 3;

  private final S3Client client;
  private final S3Location at;
  private final String location;
  private final boolean overwrite;
  private final Semaphore inFlight = new Semaphore(PARTS_IN_FLIGHT);
  private final List<CompletedPart> done = new ArrayList<>();
  private final Object lock = new Object();

  private byte[] buffer = new byte[FIRST_BYTES];
  private int filled;
  private long sent;
  private int parts;
  private @Nullable String uploadId;
  private boolean closed;
  private @Nullable String etag;
  private volatile @Nullable RuntimeException failure;

  S3Upload(S3Client client, S3Location at, String location, boolean overwrite) {
    this.client = client;
    this.at = at;
    this.location = location;
    this.overwrite = overwrite;
  }

  @Override
  public long getPos() {
    return sent + filled;
  }

  @Override
  public long storedLength() {
    return getPos();
  }

  @Override
  public Optional<String> etag() {
    return Optional.ofNullable(etag);
  }

  @Override
  public void write(int value) throws IOException {
    ensureOpen();
    ensureRoom();
    buffer[filled++] = (byte) value;
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    ensureOpen();
    int from = offset;
    int left = length;
    while (left > 0) {
      ensureRoom();
      int count = Math.min(left, buffer.length - filled);
      System.arraycopy(source, from, buffer, filled, count);
      filled += count;
      from += count;
      left -= count;
    }
  }

  /** What is written stays here until a part is full. */
  @Override
  public void flush() throws IOException {
    ensureOpen();
  }

  private void ensureRoom() {
    if (filled < buffer.length) {
      return;
    }
    int size = PART_BYTES << Math.min(LARGEST_SHIFT, parts / PARTS_OF_A_SIZE);
    if (buffer.length < size) {
      buffer = Arrays.copyOf(buffer, Math.min(size, buffer.length * 4));
      return;
    }
    sendPart();
    buffer = new byte[size];
  }

  private void sendPart() {
    if (uploadId == null) {
      uploadId =
          running(() -> client.createMultipartUpload(r -> r.bucket(at.bucket()).key(at.key())))
              .uploadId();
    }
    try {
      inFlight.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw fail(e);
    }
    byte[] part = buffer;
    int length = filled;
    int number = ++parts;
    sent += length;
    filled = 0;
    Thread.ofVirtual().name("s3-part-" + number).start(() -> upload(part, length, number));
  }

  private void upload(byte[] part, int length, int number) {
    try {
      if (failure == null) {
        String tag =
            client
                .uploadPart(
                    r ->
                        r.bucket(at.bucket())
                            .key(at.key())
                            .uploadId(uploadId)
                            .partNumber(number)
                            .contentLength((long) length),
                    body(part, length))
                .eTag();
        synchronized (lock) {
          done.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
        }
      }
    } catch (RuntimeException | Error e) {
      fail(e instanceof Exception known ? known : new IllegalStateException(e));
    } finally {
      inFlight.release();
    }
  }

  /** Without a copy, and so that a request can be sent again. */
  private static RequestBody body(byte[] bytes, int length) {
    return RequestBody.fromContentProvider(
        () -> new ByteArrayInputStream(bytes, 0, length), length, "application/octet-stream");
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (uploadId == null) {
        throwFailure();
        putWhole();
      } else {
        complete();
      }
    } finally {
      buffer = new byte[0];
    }
  }

  private void putWhole() {
    etag =
        running(
                () ->
                    client.putObject(
                        r -> {
                          r.bucket(at.bucket()).key(at.key()).contentLength((long) filled);
                          if (!overwrite) {
                            r.ifNoneMatch("*");
                          }
                        },
                        body(buffer, filled)))
            .eTag();
    sent += filled;
    filled = 0;
  }

  private void complete() {
    try {
      if (filled > 0 && failure == null) {
        sendPart();
      }
      inFlight.acquireUninterruptibly(PARTS_IN_FLIGHT);
      throwFailure();
      List<CompletedPart> all = new ArrayList<>(done);
      all.sort(Comparator.comparing(CompletedPart::partNumber));
      etag =
          running(
                  () ->
                      client.completeMultipartUpload(
                          r -> {
                            r.bucket(at.bucket())
                                .key(at.key())
                                .uploadId(uploadId)
                                .multipartUpload(m -> m.parts(all));
                            if (!overwrite) {
                              r.ifNoneMatch("*");
                            }
                          }))
              .eTag();
    } catch (RuntimeException e) {
      giveUpParts();
      throw e;
    }
  }

  @Override
  public void abort() {
    if (closed) {
      return;
    }
    closed = true;
    buffer = new byte[0];
    if (uploadId != null) {
      fail(new IOException("given up"));
      inFlight.acquireUninterruptibly(PARTS_IN_FLIGHT);
      giveUpParts();
    }
  }

  private void giveUpParts() {
    try {
      client.abortMultipartUpload(r -> r.bucket(at.bucket()).key(at.key()).uploadId(uploadId));
    } catch (RuntimeException e) {
      LOG.warn(
          "the parts of {} that were uploaded stay until the bucket's lifecycle removes them: {}",
          location,
          S3Failures.of("give up", location, e).getMessage());
    }
  }

  private <T> T running(java.util.function.Supplier<T> request) {
    try {
      return request.get();
    } catch (RuntimeException e) {
      if (!overwrite && S3Failures.isPreconditionFailed(e)) {
        AlreadyExistsException exists =
            new AlreadyExistsException(e, "File already exists: %s", location);
        failure = exists;
        throw exists;
      }
      throw fail(e);
    }
  }

  private RuntimeException fail(Exception cause) {
    RuntimeException known = failure;
    if (known == null) {
      known = S3Failures.of("write", location, cause);
      failure = known;
    }
    return known;
  }

  private void throwFailure() {
    RuntimeException known = failure;
    if (known != null) {
      throw known;
    }
  }

  private void ensureOpen() throws IOException {
    throwFailure();
    if (closed) {
      throw new IOException("'" + location + "' is closed");
    }
  }
}
