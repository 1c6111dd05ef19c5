package dev.varve.service.flight;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.arrow.ArrowValues;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flight.FlightProducer.StreamListener;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.sql.impl.FlightSql.DoPutUpdateResult;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.jspecify.annotations.Nullable;

/** What goes either way in a client's update: values of parameters, and the count of rows. */
final class Updates {
  private Updates() {}

  /** The rows of parameters that a client sends, one batch at a time. */
  static final class Rows {
    private final FlightStream stream;
    private int next;

    Rows(FlightStream stream) {
      this.stream = stream;
    }

    /** Null after the last. */
    @Nullable List<@Nullable Object> next() {
      while (next >= stream.getRoot().getRowCount()) {
        if (!stream.next()) {
          return null;
        }
        next = 0;
      }
      List<@Nullable Object> row = new ArrayList<>();
      for (FieldVector vector : stream.getRoot().getFieldVectors()) {
        row.add(ArrowValues.read(vector, next));
      }
      next++;
      return row;
    }
  }

  /** The values of a query, which has one row of them. */
  static List<@Nullable Object> onlyRow(FlightStream stream) {
    Rows rows = new Rows(stream);
    List<@Nullable Object> row = rows.next();
    if (row == null || rows.next() != null) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER, "a query takes one row of values for its parameters");
    }
    return row;
  }

  /** Tells how many rows were written. */
  static void acknowledge(
      long rows, BufferAllocator allocator, StreamListener<PutResult> acknowledge) {
    byte[] bytes = DoPutUpdateResult.newBuilder().setRecordCount(rows).build().toByteArray();
    try (ArrowBuf buffer = allocator.buffer(bytes.length)) {
      buffer.writeBytes(bytes);
      acknowledge.onNext(PutResult.metadata(buffer));
    }
  }
}
