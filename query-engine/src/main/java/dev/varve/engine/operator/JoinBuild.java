package dev.varve.engine.operator;

import dev.varve.engine.memory.MemoryConsumer;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The build side that some probing streams share: the first that needs it builds it, the others
 * wait. Its memory goes when the last stream has closed, or at the end of the query. Safe for
 * concurrent use.
 */
final class JoinBuild implements AutoCloseable {
  private final JoinSpec spec;
  private final int partition;
  private final QueryContext query;
  private final OperatorMemory memory;
  private final TaskGroup group;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ready = lock.newCondition();
  private final AtomicInteger probing;
  private int open;
  private boolean building;
  private volatile @Nullable JoinTable table;

  JoinBuild(JoinSpec spec, int partition, QueryContext query) {
    this.spec = spec;
    this.partition = partition;
    this.query = query;
    this.memory =
        new OperatorMemory(
            query.memory().register(new MemoryConsumer(spec.node().name() + " build", false)),
            spec.node().metrics());
    this.group = new TaskGroup(query);
    this.probing = new AtomicInteger(spec.probesPerBuild());
    this.open = spec.probesPerBuild();
    query.cancellation().onCancel(this::wake);
    query.closeAtEnd(this);
  }

  private void wake() {
    lock.lock();
    try {
      ready.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The table, building or waiting for it. */
  JoinTable table(TaskContext context) {
    JoinTable built = claim() ? build(context) : table;
    return built != null ? built : context.blocking(this::await);
  }

  /** True for the one that is to build. */
  private boolean claim() {
    lock.lock();
    try {
      boolean first = !building;
      building = true;
      return first;
    } finally {
      lock.unlock();
    }
  }

  private JoinTable build(TaskContext context) {
    JoinTable built =
        new JoinTableBuilder(spec, memory, group, context).build(spec.collected() ? -1 : partition);
    lock.lock();
    try {
      table = built;
      ready.signalAll();
    } finally {
      lock.unlock();
    }
    spec.node().metrics().add("build_rows", built.rowCount());
    return built;
  }

  private JoinTable await() {
    lock.lock();
    try {
      while (true) {
        JoinTable built = table;
        if (built != null) {
          return built;
        }
        query.cancellation().check();
        ready.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** A stream has probed all its rows; true for the last of all. */
  boolean probed() {
    return probing.decrementAndGet() == 0;
  }

  /** A stream has closed. */
  void leave() {
    lock.lock();
    try {
      open--;
      if (open > 0) {
        return;
      }
    } finally {
      lock.unlock();
    }
    close();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      table = null;
      memory.close();
    } finally {
      lock.unlock();
    }
  }
}
