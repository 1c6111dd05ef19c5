package dev.varve.service.storage;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.layout.io.FileRoots;

/** A bucket and a key, taken from a location as it stands there, without decoding. */
record S3Location(String bucket, String key) {
  static S3Location of(String location) {
    int scheme = location.indexOf("://");
    int slash = scheme < 0 ? -1 : location.indexOf('/', scheme + 3);
    if (!FileRoots.isObject(location) || slash < 0 || slash == location.length() - 1) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "'" + location + "' is not s3://bucket/key");
    }
    return new S3Location(location.substring(scheme + 3, slash), location.substring(slash + 1));
  }
}
