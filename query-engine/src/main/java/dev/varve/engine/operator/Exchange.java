package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.memory.MemoryConsumer;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link RepartitionExec}: a task for each input partition routes batches into queues
 * that the output partitions read. Safe for concurrent use: one lock guards all queues.
 *
 * <p>Queues have no bound. A gate keeps producers from running ahead: one waits only while every
 * open queue of its gate has something, so a reader that waits for an empty queue always has a
 * producer that may run. Bounded queues would deadlock under an order-preserving merge, which must
 * see a row of every input before it can go on. Bytes are bounded by the reservation of each output
 * partition.
 *
 * <p>Without order to preserve there is one gate, and one queue for each output; with it one gate
 * for each input, and a queue for each input and output.
 */
final class Exchange implements AutoCloseable {
  private final RepartitionExec node;
  private final PhysicalPlan input;
  private final QueryContext query;
  private final MetricSet metrics;
  private final int inputs;
  private final int outputs;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Gate> gates = new ArrayList<>();
  private final List<OperatorMemory> memory = new ArrayList<>();
  private boolean started;

  Exchange(RepartitionExec node, PhysicalPlan input, QueryContext query) {
    this.node = node;
    this.input = input;
    this.query = query;
    this.metrics = node.metrics();
    this.inputs = input.properties().partitioning().count();
    this.outputs = node.target().count();
    int gateCount = node.preserveOrder() ? inputs : 1;
    for (int g = 0; g < gateCount; g++) {
      gates.add(new Gate(node.preserveOrder() ? 1 : inputs));
    }
    for (int o = 0; o < outputs; o++) {
      memory.add(
          new OperatorMemory(
              query.memory().register(new MemoryConsumer("RepartitionExec[" + o + "]", false)),
              metrics));
    }
    query.cancellation().onCancel(this::wakeAll);
    query.closeAtEnd(this);
  }

  /** Some queues of which at least one is kept empty. Guarded by the lock. */
  private final class Gate {
    private final Condition mayOpen = lock.newCondition();
    private final List<Queue> queues = new ArrayList<>();
    private int producers;

    private Gate(int producers) {
      this.producers = producers;
      for (int o = 0; o < outputs; o++) {
        queues.add(new Queue(this, o));
      }
    }

    /** Whether a producer may send: some open queue is empty, or none is open at all. */
    private boolean isOpen() {
      boolean anyOpen = false;
      for (Queue queue : queues) {
        if (!queue.closed) {
          if (queue.batches.isEmpty()) {
            return true;
          }
          anyOpen = true;
        }
      }
      return !anyOpen;
    }

    private boolean isAbandoned() {
      for (Queue queue : queues) {
        if (!queue.closed) {
          return false;
        }
      }
      return true;
    }
  }

  private final class Queue {
    private final Gate gate;
    private final int output;
    private final Condition notEmpty = lock.newCondition();
    private final Deque<Batch> batches = new ArrayDeque<>();
    private boolean closed;

    private Queue(Gate gate, int output) {
      this.gate = gate;
      this.output = output;
    }

    private boolean ready() {
      return !batches.isEmpty() || gate.producers == 0 || query.cancellation().isCanceled();
    }
  }

  BatchStream open(int partition, TaskContext context) {
    if (node.preserveOrder()) {
      List<MergeStream.Source> sources = new ArrayList<>();
      for (Gate gate : gates) {
        sources.add(new QueueSource(gate.queues.get(partition), context));
      }
      return new MergeStream(
          node, sources, input.properties().outputOrdering().orElseThrow(), context);
    }
    return new ExchangeStream(
        node, new QueueSource(gates.get(0).queues.get(partition), context), context);
  }

  /** One queue as its reader sees it. */
  private final class QueueSource implements MergeStream.Source {
    private final Queue queue;
    private final TaskContext context;

    private QueueSource(Queue queue, TaskContext context) {
      this.queue = queue;
      this.context = context;
    }

    @Override
    public void prepare() {
      start(context);
    }

    @Override
    public @Nullable Batch next() {
      start(context);
      lock.lock();
      try {
        if (queue.ready()) {
          return poll();
        }
      } finally {
        lock.unlock();
      }
      return context.blocking(
          () -> {
            lock.lock();
            try {
              while (!queue.ready()) {
                queue.notEmpty.awaitUninterruptibly();
              }
              return poll();
            } finally {
              lock.unlock();
            }
          });
    }

    @Override
    public @Nullable Batch nextWithoutWaiting(int mostRows) {
      lock.lock();
      try {
        Batch head = queue.batches.peek();
        return head != null && head.rowCount() <= mostRows ? poll() : null;
      } finally {
        lock.unlock();
      }
    }

    private @Nullable Batch poll() {
      query.cancellation().check();
      Batch batch = queue.batches.poll();
      if (batch != null) {
        memory.get(queue.output).shrink(OperatorMemory.ofRows(batch));
        if (queue.batches.isEmpty()) {
          queue.gate.mayOpen.signalAll();
        }
      }
      return batch;
    }

    @Override
    public void close() {
      closeQueue(queue);
    }
  }

  private void closeQueue(Queue queue) {
    lock.lock();
    try {
      if (queue.closed) {
        return;
      }
      queue.closed = true;
      OperatorMemory reserved = memory.get(queue.output);
      for (Batch batch : queue.batches) {
        reserved.shrink(OperatorMemory.ofRows(batch));
      }
      queue.batches.clear();
      queue.gate.mayOpen.signalAll();
      boolean last = true;
      for (Gate gate : gates) {
        last &= gate.queues.get(queue.output).closed;
      }
      if (last) {
        reserved.close();
      }
    } finally {
      lock.unlock();
    }
  }

  private void start(TaskContext context) {
    lock.lock();
    try {
      if (started) {
        return;
      }
      started = true;
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < inputs; i++) {
      int partition = i;
      context.spawn("RepartitionExec input " + i, task -> produce(partition, task));
    }
  }

  private void produce(int partition, TaskContext task) {
    Gate gate = gates.get(node.preserveOrder() ? partition : 0);
    try (BatchStream stream = input.execute(partition, task)) {
      Router router = Router.of(node.target(), partition, inputs, task);
      Batch batch;
      while (!isAbandoned(gate) && (batch = stream.next()) != null) {
        task.checkpoint();
        long start = System.nanoTime();
        List<Router.Part> parts = router.route(batch);
        metrics.add("elapsed_compute_nanos", System.nanoTime() - start);
        for (Router.Part part : parts) {
          send(gate.queues.get(part.partition()), part.batch(), task);
        }
      }
    }
    // Not reached by a producer that failed: its readers must see the query's end, never what looks
    // like the end of the rows.
    lock.lock();
    try {
      gate.producers--;
      gate.queues.forEach(queue -> queue.notEmpty.signalAll());
    } finally {
      lock.unlock();
    }
  }

  private boolean isAbandoned(Gate gate) {
    lock.lock();
    try {
      return gate.isAbandoned();
    } finally {
      lock.unlock();
    }
  }

  private void send(Queue queue, Batch batch, TaskContext task) {
    if (!trySend(queue, batch)) {
      task.blocking(
          () -> {
            lock.lock();
            try {
              while (!trySend(queue, batch)) {
                queue.gate.mayOpen.awaitUninterruptibly();
              }
              return true;
            } finally {
              lock.unlock();
            }
          });
    }
  }

  /** False if the gate is closed; a batch for a reader that has gone is dropped. */
  private boolean trySend(Queue queue, Batch batch) {
    lock.lock();
    try {
      query.cancellation().check();
      if (queue.closed) {
        return true;
      }
      if (!queue.gate.isOpen()) {
        return false;
      }
      memory.get(queue.output).grow(OperatorMemory.ofRows(batch));
      queue.batches.add(batch);
      queue.notEmpty.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void wakeAll() {
    lock.lock();
    try {
      for (Gate gate : gates) {
        gate.mayOpen.signalAll();
        gate.queues.forEach(queue -> queue.notEmpty.signalAll());
      }
    } finally {
      lock.unlock();
    }
  }

  /** At the query's end, for queues that nobody opened. */
  @Override
  public void close() {
    for (Gate gate : gates) {
      gate.queues.forEach(this::closeQueue);
    }
  }
}
