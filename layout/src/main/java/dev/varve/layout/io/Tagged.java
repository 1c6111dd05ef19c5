package dev.varve.layout.io;

import java.util.Optional;

/** A file in a store that gives each version of an object a tag of its own. */
public interface Tagged {
  /** The tag of the version that is read, or was written; empty if it is not known. */
  Optional<String> etag();
}
