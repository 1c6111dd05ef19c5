package dev.varve.engine.spill;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads batches back, in the sequence in which they were appended. Confined to one task. */
final class SpillReader implements BatchStream {
  private final String consumer;
  private final ArrowFormat format;
  private @Nullable SpillInput input;

  SpillReader(String consumer, ArrowFormat format, SpillInput input) {
    this.consumer = consumer;
    this.format = format;
    this.input = input;
  }

  @Override
  public Schema schema() {
    return format.schema();
  }

  @Override
  public @Nullable Batch next() {
    SpillInput from = input;
    try {
      if (from == null || from.atEnd()) {
        input = null;
        return null;
      }
      return format.read(from);
    } catch (EOFException e) {
      throw new VarveException(
          ErrorCode.FILE_CORRUPT, consumer + " finds its spill file cut: " + e.getMessage(), e);
    } catch (IOException e) {
      throw SpillFailures.of(consumer, "read its spill file", e);
    }
  }

  @Override
  public void close() {
    input = null;
  }
}
