package dev.varve.engine.memory;

/** A budget of bytes. Safe for concurrent use. Only {@link MemoryReservation} talks to it. */
public interface MemoryPool {

  MemoryReservation register(MemoryConsumer consumer);

  /** Bytes reserved now. */
  long reserved();

  /** Most bytes ever reserved at once. */
  long peak();

  /** The budget, or {@link Long#MAX_VALUE}. */
  long limit();

  /** The largest holders now, one line each, for error messages. */
  String report();
}
