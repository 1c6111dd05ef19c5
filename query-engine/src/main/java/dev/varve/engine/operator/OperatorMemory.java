package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.runtime.MetricSet;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One stream's reservation, remembering its peak. Batches that are kept are counted with it, each
 * dictionary once however many batches share it. Confined to one task.
 */
final class OperatorMemory implements AutoCloseable {
  private final MemoryReservation reservation;
  private final MetricSet metrics;
  private final Set<Column> dictionaries = Collections.newSetFromMap(new IdentityHashMap<>());
  private long peak;
  private long setAside;
  private boolean closed;

  OperatorMemory(MemoryReservation reservation, MetricSet metrics) {
    this.reservation = reservation;
    this.metrics = metrics;
  }

  /** Takes of what was set aside first. */
  void grow(long bytes) {
    long taken = Math.min(setAside, bytes);
    setAside -= taken;
    if (bytes > taken) {
      reservation.grow(bytes - taken);
    }
    peak = Math.max(peak, reservation.size());
  }

  boolean tryGrow(long bytes) {
    boolean grown = reservation.tryGrow(bytes);
    peak = Math.max(peak, reservation.size());
    return grown;
  }

  void shrink(long bytes) {
    reservation.shrink(bytes);
  }

  /** Reserves what later calls of {@link #grow} will take, so that they are not refused. */
  boolean trySetAside(long bytes) {
    boolean grown = tryGrow(bytes);
    setAside += grown ? bytes : 0;
    return grown;
  }

  /** Sets aside so much that it is {@code bytes} in all; false if that is refused. */
  boolean trySetAsideInAll(long bytes) {
    return bytes <= setAside || trySetAside(bytes - setAside);
  }

  /** Gives back what was set aside and not taken. */
  void releaseSetAside() {
    reservation.shrink(setAside);
    setAside = 0;
  }

  /** Gives back what is beyond {@code bytes}, and forgets which dictionaries were kept. */
  void shrinkTo(long bytes) {
    dictionaries.clear();
    setAside = 0;
    reservation.shrink(reservation.size() - bytes);
  }

  /** Gives all back; more may be taken afterwards. */
  void releaseAll() {
    shrinkTo(0);
  }

  /** Grows or shrinks to {@code bytes}. */
  void resize(long bytes) {
    long more = bytes - reservation.size();
    if (more > 0) {
      grow(more);
    } else {
      shrink(-more);
    }
  }

  long size() {
    return reservation.size();
  }

  /**
   * Reserves a batch that is about to be kept, and {@code extra} bytes; the batch in arrays of its
   * own.
   */
  Batch keep(Batch batch, long extra) {
    grow(bytesToKeep(batch) + extra);
    return kept(batch);
  }

  /** {@link #keep}, or null if memory is refused. */
  @Nullable Batch tryKeep(Batch batch, long extra) {
    return tryGrow(bytesToKeep(batch) + extra) ? kept(batch) : null;
  }

  private long bytesToKeep(Batch batch) {
    long bytes = 0;
    Set<Column> unknown = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Column column : batch.columns()) {
      boolean known =
          column instanceof DictionaryColumn coded
              && (dictionaries.contains(coded.dictionary()) || !unknown.add(coded.dictionary()));
      bytes +=
          known && column instanceof DictionaryColumn coded
              ? column.sizeInBytes() - coded.dictionary().sizeInBytes()
              : column.sizeInBytes();
    }
    return bytes;
  }

  private Batch kept(Batch batch) {
    for (Column column : batch.columns()) {
      if (column instanceof DictionaryColumn coded) {
        dictionaries.add(coded.dictionary());
      }
    }
    return batch.compact();
  }

  /** Bytes that keeping this column takes; its dictionary counts as kept from now on. */
  long bytesToKeep(Column column) {
    return column instanceof DictionaryColumn coded && !dictionaries.add(coded.dictionary())
        ? column.sizeInBytes() - coded.dictionary().sizeInBytes()
        : column.sizeInBytes();
  }

  /** A second reservation of the same consumer, for another task. */
  OperatorMemory sibling() {
    return new OperatorMemory(reservation.sibling(), metrics);
  }

  /** Gives back everything, batches that were kept included. */
  void forget() {
    dictionaries.clear();
    reservation.shrink(reservation.size());
  }

  /** Bytes of a batch's rows alone, for batches on their way: dictionaries belong to others. */
  static long ofRows(Batch batch) {
    long bytes = 0;
    for (Column column : batch.columns()) {
      bytes +=
          column instanceof DictionaryColumn coded
              ? column.sizeInBytes() - coded.dictionary().sizeInBytes()
              : column.sizeInBytes();
    }
    return bytes;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      metrics.add("memory_peak_bytes", peak);
      dictionaries.clear();
      reservation.close();
    }
  }
}
