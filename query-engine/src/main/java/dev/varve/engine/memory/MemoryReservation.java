package dev.varve.engine.memory;

/**
 * One consumer's part of a pool; confined to one task unless it says otherwise. Closing it gives
 * everything back; a reservation that is never closed is a leak and fails tests.
 */
public interface MemoryReservation extends AutoCloseable {

  /** Takes {@code bytes} more, or leaves all as it was and answers false. */
  boolean tryGrow(long bytes);

  /**
   * Takes {@code bytes} more.
   *
   * @throws dev.varve.layout.error.VarveException MEMORY_LIMIT_EXCEEDED, naming consumer, need,
   *     limit and largest holders
   */
  void grow(long bytes);

  /** Gives {@code bytes} back. */
  void shrink(long bytes);

  /** Grows or shrinks to {@code bytes}; false if it would have to grow and cannot. */
  default boolean tryResize(long bytes) {
    long difference = bytes - size();
    if (difference > 0) {
      return tryGrow(difference);
    }
    shrink(-difference);
    return true;
  }

  long size();

  MemoryConsumer consumer();

  /** A second reservation of the same consumer: its quota is shared. */
  MemoryReservation sibling();

  @Override
  void close();
}
