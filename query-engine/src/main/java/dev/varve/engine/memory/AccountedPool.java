package dev.varve.engine.memory;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A pool that knows who holds what. Safe for concurrent use: one lock, taken once for each change
 * of a reservation, that is about once a batch.
 */
final class AccountedPool implements MemoryPool {
  private static final int REPORTED_HOLDERS = 5;

  /** What a pool with floors sets aside for them, and in how many parts. */
  private static final int SET_ASIDE_SHARE = 4;

  private static final long MOST_SET_ASIDE = 64L << 20;
  private static final int FLOORS = 16;

  /** What consumers that can spill leave to those that cannot: a part of what is set aside. */
  private static final int LEFT_SHARE = 4;

  enum Policy {
    GREEDY,
    /** Consumers that can spill get equal shares of what the others leave. */
    FAIR,
    /**
     * Fair, and as soon as there is a consumer that can spill, a part of the pool is set aside:
     * each of those finds a floor there, however much others took that came before it.
     */
    FAIR_WITH_FLOORS
  }

  private final String name;
  private final long limit;
  private final Policy policy;
  private final @Nullable MemoryPool parent;
  private final List<Holder> holders = new ArrayList<>();
  private @Nullable MemoryReservation share;
  private long reserved;
  private long peak;

  AccountedPool(String name, long limit, Policy policy, @Nullable MemoryPool parent) {
    this.name = name;
    this.limit = limit;
    this.policy = policy;
    this.parent = parent;
  }

  /** One registered consumer: the sum of its reservations. Guarded by the pool. */
  private static final class Holder {
    private final MemoryConsumer consumer;
    private long bytes;
    private int reservations;

    private Holder(MemoryConsumer consumer) {
      this.consumer = consumer;
    }
  }

  @Override
  public MemoryReservation register(MemoryConsumer consumer) {
    synchronized (this) {
      Holder holder = new Holder(consumer);
      holders.add(holder);
      return new Reservation(holder);
    }
  }

  @Override
  public synchronized long reserved() {
    return reserved;
  }

  @Override
  public synchronized long peak() {
    return peak;
  }

  @Override
  public long limit() {
    return limit;
  }

  @Override
  public synchronized String report() {
    List<Holder> largest = new ArrayList<>(holders);
    largest.sort(Comparator.comparingLong((Holder h) -> h.bytes).reversed());
    StringBuilder text = new StringBuilder();
    for (Holder holder : largest.subList(0, Math.min(REPORTED_HOLDERS, largest.size()))) {
      if (holder.bytes > 0) {
        text.append(text.isEmpty() ? "" : "\n")
            .append(holder.consumer.name())
            .append(": ")
            .append(format(holder.bytes))
            .append(holder.consumer.canSpill() ? " (gives way)" : "");
      }
    }
    return text.isEmpty() ? "nothing is reserved" : text.toString();
  }

  private synchronized boolean tryGrow(Holder holder, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("grow by " + bytes);
    }
    if (bytes > room(holder, bytes) || !withinShare(holder, bytes) || !growShare(bytes)) {
      return false;
    }
    holder.bytes += bytes;
    reserved += bytes;
    peak = Math.max(peak, reserved);
    return true;
  }

  private long setAside() {
    return policy == Policy.FAIR_WITH_FLOORS && limit != Long.MAX_VALUE
        ? Math.min(limit / SET_ASIDE_SHARE, MOST_SET_ASIDE)
        : 0;
  }

  private boolean isWithinFloor(Holder holder, long bytes) {
    return holder.consumer.canSpill() && holder.bytes + bytes <= setAside() / FLOORS;
  }

  /** What is free for this holder: all, or what is not kept for floors. */
  private long room(Holder holder, long bytes) {
    long free = limit - reserved;
    long kept = setAside();
    if (kept == 0 || isWithinFloor(holder, bytes)) {
      return free;
    }
    long floor = kept / FLOORS;
    boolean anyCanSpill = false;
    for (Holder other : holders) {
      if (other.consumer.canSpill()) {
        anyCanSpill = true;
        kept -= Math.min(other == holder ? floor : other.bytes, floor);
      }
    }
    if (!anyCanSpill) {
      return free;
    }
    // A scan that comes for its next page cannot wait until a sort gives way: the sort stops first.
    long left = holder.consumer.canSpill() ? setAside() / LEFT_SHARE : 0;
    return free - Math.max(0, kept) - left;
  }

  private boolean withinShare(Holder holder, long bytes) {
    if (policy == Policy.GREEDY || !holder.consumer.canSpill() || isWithinFloor(holder, bytes)) {
      return true;
    }
    long fixed = 0;
    int sharers = 0;
    for (Holder other : holders) {
      if (other.consumer.canSpill()) {
        sharers++;
      } else {
        fixed += other.bytes;
      }
    }
    return holder.bytes + bytes <= Math.max(0, limit - fixed) / sharers;
  }

  private boolean growShare(long bytes) {
    if (parent == null || bytes == 0) {
      return true;
    }
    MemoryReservation held = share;
    if (held == null) {
      held = parent.register(new MemoryConsumer(name, false));
      share = held;
    }
    boolean grown = held.tryGrow(bytes);
    if (!grown && reserved == 0) {
      held.close();
      share = null;
    }
    return grown;
  }

  private synchronized void shrink(Holder holder, long bytes) {
    holder.bytes -= bytes;
    reserved -= bytes;
    MemoryReservation held = share;
    if (held != null) {
      if (reserved == 0) {
        held.close();
        share = null;
      } else {
        held.shrink(bytes);
      }
    }
  }

  private synchronized void unregister(Holder holder) {
    holder.reservations--;
    if (holder.reservations == 0) {
      holders.remove(holder);
    }
  }

  private synchronized VarveException refused(Holder holder, long bytes) {
    boolean parentIsFull = bytes <= room(holder, bytes) && withinShare(holder, bytes);
    MemoryPool full = parentIsFull && parent != null ? parent : this;
    return new VarveException(
        ErrorCode.MEMORY_LIMIT_EXCEEDED,
        holder.consumer.name()
            + " needs "
            + format(bytes)
            + " more memory beside the "
            + format(holder.bytes)
            + " it has, but "
            + format(full.reserved())
            + " of the limit of "
            + format(full.limit())
            + " are reserved; largest holders: "
            + full.report().replace("\n", ", "),
        null,
        full == this
            ? "raise memory.query_limit, or lower execution.target_partitions"
            : "other queries hold the rest; try again, or give the server more memory",
        null);
  }

  static String format(long bytes) {
    if (bytes < 10 * 1024) {
      return bytes + " bytes";
    }
    if (bytes < 10L * 1024 * 1024) {
      return String.format(Locale.ROOT, "%.1f kB", bytes / 1024.0);
    }
    return bytes == Long.MAX_VALUE
        ? "no limit"
        : String.format(Locale.ROOT, "%.1f MB", bytes / (1024.0 * 1024.0));
  }

  private final class Reservation implements MemoryReservation {
    private final Holder holder;
    private long size;
    private boolean closed;

    private Reservation(Holder holder) {
      this.holder = holder;
      holder.reservations++;
    }

    @Override
    public boolean tryGrow(long bytes) {
      if (closed) {
        throw new IllegalStateException(holder.consumer.name() + " grows a closed reservation");
      }
      boolean grown = AccountedPool.this.tryGrow(holder, bytes);
      if (grown) {
        size += bytes;
      }
      return grown;
    }

    @Override
    public void grow(long bytes) {
      if (!tryGrow(bytes)) {
        throw refused(holder, bytes);
      }
    }

    @Override
    public void shrink(long bytes) {
      if (bytes < 0 || bytes > size) {
        throw new IllegalStateException(
            holder.consumer.name() + " gives back " + bytes + " of " + size + " bytes");
      }
      size -= bytes;
      AccountedPool.this.shrink(holder, bytes);
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public MemoryConsumer consumer() {
      return holder.consumer;
    }

    @Override
    public MemoryReservation sibling() {
      synchronized (AccountedPool.this) {
        return new Reservation(holder);
      }
    }

    @Override
    public void close() {
      if (!closed) {
        shrink(size);
        closed = true;
        unregister(holder);
      }
    }
  }
}
