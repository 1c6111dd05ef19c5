package dev.varve.catalog.index;

/**
 * What a commit removes is not what the index holds, so that the index cannot follow in steps. The
 * commit is to be tried again with {@link CommitIndexer#rebuild}.
 */
public final class IndexMismatch extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IndexMismatch(String message) {
    super(message);
  }
}
