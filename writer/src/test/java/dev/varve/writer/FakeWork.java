package dev.varve.writer;

import dev.varve.engine.memory.MemoryConsumer;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.port.WorkContext;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A query that lends memory up to a limit and runs spawned work on as many threads as it is told.
 */
class FakeWork implements WorkContext, AutoCloseable {
  private final String queryId;
  private final long limit;
  private final Semaphore cores;
  private final AtomicLong reserved = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();
  private final AtomicLong openReservations = new AtomicLong();
  private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final Map<String, Long> metrics = new TreeMap<>();
  volatile boolean canceled;

  FakeWork(String queryId, int tasks, long limit) {
    this.queryId = queryId;
    this.limit = limit;
    this.cores = new Semaphore(tasks);
  }

  static FakeWork of(int tasks) {
    return new FakeWork("query-1", tasks, Long.MAX_VALUE);
  }

  long reserved() {
    return reserved.get();
  }

  long peak() {
    return peak.get();
  }

  long openReservations() {
    return openReservations.get();
  }

  synchronized long metric(String name) {
    return metrics.getOrDefault(name, 0L);
  }

  long liveTasks() {
    return threads.stream().filter(Thread::isAlive).count();
  }

  @Override
  public String queryId() {
    return queryId;
  }

  @Override
  public void checkCanceled() {
    if (canceled) {
      throw new VarveException(ErrorCode.QUERY_CANCELED, "the query was cancelled");
    }
  }

  @Override
  public MemoryReservation reserve(String consumer, boolean canSpill) {
    openReservations.incrementAndGet();
    return new Reservation(new MemoryConsumer(consumer, canSpill));
  }

  @Override
  public <T> T blocking(Callable<T> wait) {
    try {
      return wait.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void spawn(String name, Runnable work) {
    threads.add(
        Thread.ofVirtual()
            .name(name)
            .start(
                () -> {
                  cores.acquireUninterruptibly();
                  try {
                    work.run();
                  } finally {
                    cores.release();
                  }
                }));
  }

  @Override
  public synchronized void count(String metric, long amount) {
    metrics.merge(metric, amount, Long::sum);
  }

  @Override
  public void close() {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private final class Reservation implements MemoryReservation {
    private final MemoryConsumer consumer;
    private long size;
    private boolean closed;

    Reservation(MemoryConsumer consumer) {
      this.consumer = consumer;
    }

    @Override
    public boolean tryGrow(long bytes) {
      while (true) {
        long now = reserved.get();
        if (now + bytes > limit) {
          return false;
        }
        if (reserved.compareAndSet(now, now + bytes)) {
          peak.accumulateAndGet(now + bytes, Math::max);
          size += bytes;
          return true;
        }
      }
    }

    @Override
    public void grow(long bytes) {
      if (!tryGrow(bytes)) {
        throw new VarveException(
            ErrorCode.MEMORY_LIMIT_EXCEEDED, consumer.name() + " needs " + bytes + " bytes");
      }
    }

    @Override
    public void shrink(long bytes) {
      if (bytes > size) {
        throw new IllegalStateException("gives back more than it has");
      }
      size -= bytes;
      reserved.addAndGet(-bytes);
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public MemoryConsumer consumer() {
      return consumer;
    }

    @Override
    public MemoryReservation sibling() {
      return reserve(consumer.name(), consumer.canSpill());
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        shrink(size);
        openReservations.decrementAndGet();
      }
    }
  }
}
