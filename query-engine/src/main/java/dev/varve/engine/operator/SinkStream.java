package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.port.WorkContext;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.runtime.TaskWorkContext;
import dev.varve.engine.type.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes its whole input to a sink; a sink that is closed unfinished throws its work away. */
final class SinkStream extends OperatorStream {
  private final DataSinkExec node;
  private final BatchStream input;
  private boolean done;

  SinkStream(DataSinkExec node, BatchStream input, TaskContext context) {
    super(node, context);
    this.node = node;
    this.input = input;
  }

  @Override
  @Nullable Batch produce() {
    if (done) {
      return null;
    }
    done = true;
    TableSink.SinkResult result = write(new TaskWorkContext(context, node.metrics()));
    node.metrics().add("rows_written", result.rows());
    node.metrics().add("files_written", result.files());
    node.metrics().add("bytes_written", result.bytes());
    return new Batch(
        schema(), List.of(new LongColumn(DataType.BIGINT, new long[] {result.rows()}, null)), 1);
  }

  private TableSink.SinkResult write(WorkContext work) {
    try (TableSink sink = node.sink().open(work)) {
      Batch batch;
      while ((batch = pull(input)) != null) {
        context.checkpoint();
        sink.write(batch);
      }
      input.close();
      context.query().cancellation().check();
      return sink.finish();
    }
  }

  @Override
  void release() {
    input.close();
  }
}
