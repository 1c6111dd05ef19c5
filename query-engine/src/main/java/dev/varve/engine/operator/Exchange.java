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
 * partition and by a share of the query's memory: batches that are refused go to disk and keep
 * their place in the queue, so that memory never stops a producer that a reader waits for.
 *
 * <p>Without order to preserve there is one gate, and one queue for each output; with it one gate
 * for each input, and a queue for each input and output.
 */
final class Exchange implements AutoCloseable {
  /**
   * An exchange is on the way, not where memory does most good: it takes no more than this part.
   */
  private static final int SHARE = 8;

  private final RepartitionExec node;
  private final PhysicalPlan input;
  private final QueryContext query;
  private final MetricSet metrics;
  private final int inputs;
  private final int outputs;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Gate> gates = new ArrayList<>();
  private final List<OperatorMemory> memory = new ArrayList<>();
  private final long shareOfOutput;
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
    this.shareOfOutput = Math.max(1, query.memory().limit() / SHARE / outputs);
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

  /** A batch in memory, or where it is on disk. */
  private sealed interface Entry {
    record InMemory(Batch batch, long bytes) implements Entry {}

    record OnDisk(ExchangeSpill.Spilled place) implements Entry {}
  }

  private final class Queue {
    private final Gate gate;
    private final int output;
    private final Condition notEmpty = lock.newCondition();
    private final Deque<Entry> batches = new ArrayDeque<>();
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

    private ExchangeSpill.@Nullable Spilled reading;
    private @Nullable BatchStream stream;

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
      Batch batch = nextOfDisk();
      if (batch != null) {
        return batch;
      }
      Entry entry = await();
      return switch (entry) {
        case null -> null;
        case Entry.InMemory(Batch here, long _) -> here;
        case Entry.OnDisk(ExchangeSpill.Spilled place) -> {
          reading = place;
          stream = place.read();
          yield nextOfDisk();
        }
      };
    }

    /** The rest of a batch on disk, which may have been cut; null at its end. */
    private @Nullable Batch nextOfDisk() {
      BatchStream from = stream;
      if (from == null) {
        return null;
      }
      @Nullable Batch[] box = new Batch[1];
      context.blocking(
          () -> {
            box[0] = from.next();
            return box;
          });
      if (box[0] == null) {
        stopReading();
      }
      return box[0];
    }

    private void stopReading() {
      ExchangeSpill.Spilled place = reading;
      if (place != null) {
        reading = null;
        stream = null;
        place.drop();
      }
    }

    private @Nullable Entry await() {
      lock.lock();
      try {
        if (queue.ready()) {
          return poll();
        }
      } finally {
        lock.unlock();
      }
      @Nullable Entry[] box = new Entry[1];
      context.blocking(
          () -> {
            lock.lock();
            try {
              while (!queue.ready()) {
                queue.notEmpty.awaitUninterruptibly();
              }
              box[0] = poll();
              return box;
            } finally {
              lock.unlock();
            }
          });
      return box[0];
    }

    @Override
    public @Nullable Batch nextWithoutWaiting(int mostRows) {
      if (stream != null) {
        return null;
      }
      lock.lock();
      try {
        boolean fits =
            queue.batches.peek() instanceof Entry.InMemory(Batch head, long _)
                && head.rowCount() <= mostRows;
        return fits && poll() instanceof Entry.InMemory(Batch batch, long _) ? batch : null;
      } finally {
        lock.unlock();
      }
    }

    private @Nullable Entry poll() {
      query.cancellation().check();
      Entry entry = queue.batches.poll();
      if (entry instanceof Entry.InMemory(Batch _, long bytes)) {
        memory.get(queue.output).shrink(bytes);
      }
      if (entry != null && queue.batches.isEmpty()) {
        queue.gate.mayOpen.signalAll();
      }
      return entry;
    }

    @Override
    public void close() {
      stopReading();
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
      for (Entry entry : queue.batches) {
        switch (entry) {
          case Entry.InMemory(Batch _, long bytes) -> reserved.shrink(bytes);
          case Entry.OnDisk(ExchangeSpill.Spilled place) -> place.drop();
        }
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
    ExchangeSpill spill = new ExchangeSpill(node.schema(), metrics);
    try (BatchStream stream = input.execute(partition, task)) {
      Router router = Router.of(node.target(), partition, inputs, task);
      Batch batch;
      while (!isAbandoned(gate) && (batch = stream.next()) != null) {
        task.checkpoint();
        long start = System.nanoTime();
        List<RowDivision.Part> parts = router.route(batch);
        metrics.add("elapsed_compute_nanos", System.nanoTime() - start);
        for (RowDivision.Part part : parts) {
          send(gate.queues.get(part.partition()), part.batch(), spill, task);
        }
      }
      spill.finish();
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

  /** What came of an attempt to send. */
  private enum Outcome {
    DONE,
    GATE_IS_SHUT,
    MEMORY_IS_REFUSED
  }

  private void send(Queue queue, Batch batch, ExchangeSpill spill, TaskContext task) {
    Outcome outcome = trySend(queue, batch);
    if (outcome == Outcome.GATE_IS_SHUT) {
      outcome =
          task.blocking(
              () -> {
                lock.lock();
                try {
                  Outcome again;
                  while ((again = trySend(queue, batch)) == Outcome.GATE_IS_SHUT) {
                    queue.gate.mayOpen.awaitUninterruptibly();
                  }
                  return again;
                } finally {
                  lock.unlock();
                }
              });
    }
    if (outcome == Outcome.MEMORY_IS_REFUSED) {
      sendByDisk(queue, spill.append(batch, task));
    }
  }

  /** A batch for a reader that has gone is dropped. */
  private Outcome trySend(Queue queue, Batch batch) {
    lock.lock();
    try {
      query.cancellation().check();
      if (queue.closed) {
        return Outcome.DONE;
      }
      if (!queue.gate.isOpen()) {
        return Outcome.GATE_IS_SHUT;
      }
      long bytes = OperatorMemory.ofRows(batch);
      OperatorMemory output = memory.get(queue.output);
      if (!query.spill().enabled()) {
        output.grow(bytes);
      } else if ((output.size() > 0 && output.size() + bytes > shareOfOutput)
          || !output.tryGrow(bytes)) {
        return Outcome.MEMORY_IS_REFUSED;
      }
      queue.batches.add(new Entry.InMemory(batch, bytes));
      queue.notEmpty.signalAll();
      return Outcome.DONE;
    } finally {
      lock.unlock();
    }
  }

  private void sendByDisk(Queue queue, ExchangeSpill.Spilled place) {
    lock.lock();
    try {
      if (!queue.closed) {
        queue.batches.add(new Entry.OnDisk(place));
        queue.notEmpty.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    place.drop();
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
