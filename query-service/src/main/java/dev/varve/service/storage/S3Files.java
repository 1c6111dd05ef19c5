package dev.varve.service.storage;

import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import org.apache.iceberg.aws.s3.S3FileIO;
import org.apache.iceberg.io.BulkDeletionFailureException;
import org.apache.iceberg.io.DelegateFileIO;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Objects in S3 behind Iceberg's S3FileIO, with our ranges, our uploads (which can be given up) and
 * our errors. One pool of connections for the process; its client is made at the first use, so that
 * a process without S3 asks for no credentials. Safe for concurrent use.
 */
public final class S3Files implements DelegateFileIO {
  private static final long serialVersionUID = 1L;
  private static final int CONNECTIONS = 64;
  private static final int DELETE_BATCH = 1_000;

  /** Of any bucket, where none is said: a store that is not AWS does not mind. */
  private static final String REGION_OF_ENDPOINTS = "us-east-1";

  private final transient S3Settings settings;
  private final transient Object lock = new Object();
  private transient @org.jspecify.annotations.Nullable Open open;

  private record Open(S3Client client, S3FileIO io) {}

  public S3Files(S3Settings settings) {
    this.settings = settings;
  }

  private Open open() {
    synchronized (lock) {
      Open now = open;
      if (now == null) {
        S3Client client = client(settings);
        // Without both suppliers Iceberg makes clients of its own, for which it needs half of AWS.
        S3FileIO io =
            new S3FileIO(
                () -> client,
                () -> {
                  throw new IllegalStateException(
                      "files are read and written in their own threads");
                });
        io.initialize(Map.of("s3.delete.batch-size", Integer.toString(DELETE_BATCH)));
        now = new Open(client, io);
        open = now;
      }
      return now;
    }
  }

  private static S3Client client(S3Settings settings) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(
                Apache5HttpClient.builder()
                    .maxConnections(CONNECTIONS)
                    .connectionTimeout(Duration.ofSeconds(5))
                    .connectionAcquisitionTimeout(Duration.ofSeconds(60))
                    .socketTimeout(Duration.ofSeconds(30)))
            .forcePathStyle(settings.pathStyle())
            // Stores other than AWS do not know the checksums that the SDK would add by itself.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
    settings.endpoint().ifPresent(builder::endpointOverride);
    if (settings.region().isPresent()) {
      builder.region(Region.of(settings.region().get()));
    } else if (settings.endpoint().isPresent()) {
      builder.region(Region.of(REGION_OF_ENDPOINTS));
    }
    settings
        .keys()
        .ifPresent(
            keys -> builder.credentialsProvider(StaticCredentialsProvider.create(login(keys))));
    return builder.build();
  }

  private static AwsCredentials login(S3Settings.Keys keys) {
    return keys.sessionToken().isPresent()
        ? AwsSessionCredentials.create(
            keys.accessKey(), keys.secretKey(), keys.sessionToken().get())
        : AwsBasicCredentials.create(keys.accessKey(), keys.secretKey());
  }

  @Override
  public InputFile newInputFile(String location) {
    return input(location, -1);
  }

  @Override
  public InputFile newInputFile(String location, long length) {
    return input(location, length);
  }

  private InputFile input(String location, long length) {
    return running(
        "read",
        location,
        () -> {
          Open now = open();
          return new S3Input(now.client, now.io.newInputFile(location), length);
        });
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return running("write", location, () -> new S3Output(this, open().client, location));
  }

  @Override
  public void deleteFile(String location) {
    running(
        "delete",
        location,
        () -> {
          open().io.deleteFile(location);
          return true;
        });
  }

  @Override
  public void deleteFiles(Iterable<String> locations) throws BulkDeletionFailureException {
    Iterator<String> any = locations.iterator();
    if (any.hasNext()) {
      String first = any.next();
      try {
        open().io.deleteFiles(locations);
      } catch (BulkDeletionFailureException e) {
        throw e;
      } catch (RuntimeException e) {
        throw S3Failures.of("delete", first, e);
      }
    }
  }

  /** Page by page, as the result is read. */
  @Override
  public Iterable<FileInfo> listPrefix(String prefix) {
    return () ->
        running("list", prefix, () -> translated(prefix, open().io.listPrefix(prefix).iterator()));
  }

  private static Iterator<FileInfo> translated(String prefix, Iterator<FileInfo> files) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return running("list", prefix, files::hasNext);
      }

      @Override
      public FileInfo next() {
        return running("list", prefix, files::next);
      }
    };
  }

  @Override
  public void deletePrefix(String prefix) {
    running(
        "delete",
        prefix,
        () -> {
          open().io.deletePrefix(prefix);
          return true;
        });
  }

  private static <T> T running(
      String action, String location, java.util.function.Supplier<T> request) {
    try {
      return request.get();
    } catch (RuntimeException e) {
      throw S3Failures.of(action, location, e);
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      Open now = open;
      open = null;
      if (now != null) {
        now.io.close();
        now.client.close();
      }
    }
  }
}
