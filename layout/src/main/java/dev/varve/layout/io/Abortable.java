package dev.varve.layout.io;

/** A stream whose file need not come to be: after {@link #abort} nothing appears in its place. */
public interface Abortable {
  /** Throws away what was written; never throws, and does nothing after a close. */
  void abort();
}
