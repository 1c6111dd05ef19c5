package dev.varve.service.storage;

import java.net.URI;
import java.util.Optional;

/**
 * How to reach S3. What is not set is found as the AWS SDK finds it: environment, profile files,
 * instance metadata.
 *
 * @param endpoint another store than AWS
 * @param pathStyle whether the bucket is in the path and not in the host's name
 */
public record S3Settings(
    Optional<URI> endpoint, Optional<String> region, boolean pathStyle, Optional<Keys> keys) {
  public static final S3Settings DEFAULTS =
      new S3Settings(Optional.empty(), Optional.empty(), false, Optional.empty());

  /** A login; its text form is not shown by {@link #toString}. */
  public record Keys(String accessKey, String secretKey, Optional<String> sessionToken) {
    @Override
    public String toString() {
      return "Keys[****]";
    }
  }
}
