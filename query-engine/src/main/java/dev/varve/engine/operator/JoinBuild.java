package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.memory.MemoryConsumer;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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
  private volatile @Nullable BuildSide side;
  private volatile boolean spills;
  private final List<OperatorSpill> files = new ArrayList<>();

  JoinBuild(JoinSpec spec, int partition, QueryContext query) {
    this.spec = spec;
    this.partition = partition;
    this.query = query;
    this.memory =
        new OperatorMemory(
            query
                .memory()
                .register(
                    new MemoryConsumer(spec.node().name() + " build", query.spill().enabled())),
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

  /** The build side, reading or waiting for it. */
  BuildSide side(TaskContext context) {
    BuildSide built = claim() ? build(context) : side;
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

  private BuildSide build(TaskContext context) {
    BuildSide built = read(context);
    lock.lock();
    try {
      side = built;
      ready.signalAll();
    } finally {
      lock.unlock();
    }
    return built;
  }

  private BuildSide read(TaskContext context) {
    JoinTableBuilder builder = new JoinTableBuilder(spec, memory, group, true, context);
    int partitions = spec.collected() ? spec.left().properties().partitioning().count() : 1;
    List<Collector> collectors = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      collectors.add(new Collector(spec.collected() ? p : partition, builder.read()));
    }
    String name = spec.node().name() + " build";
    try {
      group.run(name, partitions, context, (p, task) -> collectors.get(p).collect(task));
      long rows = collectors.stream().mapToLong(c -> c.count).sum();
      spec.node().metrics().add("build_rows", rows);
      if (!spills) {
        List<JoinRows> all = collectors.stream().map(c -> c.rows).toList();
        if (!mustSpill(builder, all)) {
          JoinTable table = builder.table(all);
          memory.releaseSetAside();
          return table;
        }
        spills = true;
      }
      group.run(name, partitions, context, (p, task) -> collectors.get(p).spillRest(task));
      spec.node().metrics().add("spilled_builds", 1);
      return new SpilledBuild(
          collectors.stream().map(c -> c.spilled).filter(Objects::nonNull).toList(),
          SpilledSide.parts(spec.buildKeys(), context));
    } finally {
      collectors.forEach(Collector::close);
    }
  }

  private boolean mustSpill(JoinTableBuilder builder, List<JoinRows> rows) {
    boolean tooLarge = builder.isTooLarge(rows);
    if (!query.spill().enabled()) {
      return false;
    }
    return tooLarge || !memory.trySetAside(builder.bytesFor(rows));
  }

  /** Reads one partition of the build side, to where there is room. */
  private final class Collector {
    private final int input;
    private final int[] read;
    private final OperatorMemory own = memory.sibling();
    private final JoinRows rows;
    private @Nullable SpilledSide spilled;
    private long count;

    private Collector(int input, int[] read) {
      this.input = input;
      this.read = read;
      this.rows = new JoinRows(own, read.length);
    }

    private void collect(TaskContext task) {
      try (BatchStream left = spec.left().execute(input, task)) {
        Batch batch;
        while ((batch = left.next()) != null) {
          task.checkpoint();
          count += batch.rowCount();
          Batch wanted = batch.select(read);
          SpilledSide files = spilled;
          if (files == null && !spills && rows.tryAdd(wanted)) {
            continue;
          }
          if (files == null && !query.spill().enabled()) {
            rows.add(wanted);
            continue;
          }
          spills = true;
          if (files == null) {
            files = spill(task);
          }
          files.add(wanted);
        }
        SpilledSide files = spilled;
        if (files != null) {
          files.seal();
        }
      }
    }

    private SpilledSide spill(TaskContext task) {
      OperatorSpill to = spillFiles(task);
      SpilledSide files =
          new SpilledSide(
              SpilledJoin.buildSchema(spec, read), SpilledJoin.buildKeys(spec, read), 0, to, task);
      spilled = files;
      rows.batches().forEach(files::add);
      rows.clear();
      return files;
    }

    /** What was read before there was a need to spill. */
    private void spillRest(TaskContext task) {
      if (rows.rows() > 0) {
        spill(task).seal();
      }
    }

    private void close() {
      own.close();
    }
  }

  /** Spill files that are there until the last stream has closed. */
  OperatorSpill spillFiles(TaskContext task) {
    OperatorSpill made =
        new OperatorSpill(spec.node().name() + " build", task, spec.node().metrics());
    lock.lock();
    try {
      files.add(made);
    } finally {
      lock.unlock();
    }
    return made;
  }

  private BuildSide await() {
    lock.lock();
    try {
      while (true) {
        BuildSide built = side;
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
      side = null;
      files.forEach(OperatorSpill::close);
      files.clear();
      memory.close();
    } finally {
      lock.unlock();
    }
  }
}
