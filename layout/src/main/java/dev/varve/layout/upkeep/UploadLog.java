package dev.varve.layout.upkeep;

import java.util.List;

/**
 * Remembers which files are about to be written, before they are, so that those of a writer that
 * was killed are found without listing the store. Safe for concurrent use.
 */
public interface UploadLog {
  /** The snapshot summary's key for the upload whose files the snapshot takes. */
  String UPLOAD_ID = "varve.upload-id";

  /**
   * Returns when it is durable that these files may appear. A commit whose new snapshot has {@link
   * #UPLOAD_ID} in its summary forgets the upload in its own transaction.
   */
  void begin(String tableUuid, String uploadId, List<String> locations);

  /** The files are gone, or a table has them: there is nothing to look for. */
  void forget(String uploadId);

  /** The writer is done with the upload, but what became of its commit is unknown. */
  void leave(String uploadId);

  /** Remembers nothing: files of killed writers are found by listing only. */
  static UploadLog none() {
    return new UploadLog() {
      @Override
      public void begin(String tableUuid, String uploadId, List<String> locations) {}

      @Override
      public void forget(String uploadId) {}

      @Override
      public void leave(String uploadId) {}
    };
  }
}
