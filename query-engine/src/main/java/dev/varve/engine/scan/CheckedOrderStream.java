package dev.varve.engine.scan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.ordering.SortOptions;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.type.Schema;
import dev.varve.layout.NullOrder;
import dev.varve.layout.SortDirection;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asserts, in tests, that rows come in the orders that verified facts promised. */
final class CheckedOrderStream implements BatchStream {
  /** One promised order, and the last key that was seen. */
  private static final class Check {
    private final LexOrdering ordering;
    private final List<Integer> columns = new ArrayList<>();
    private final List<KeyEncoding.Part> parts = new ArrayList<>();
    private @Nullable EncodedKey last;

    Check(LexOrdering ordering) {
      this.ordering = ordering;
      for (SortExpr key : ordering.keys()) {
        ColumnExpr column = (ColumnExpr) key.expr();
        SortOptions options = key.options();
        columns.add(column.index());
        parts.add(
            new KeyEncoding.Part(
                ColumnKeys.type(column.type()).orElseThrow(),
                options.descending() ? SortDirection.DESC : SortDirection.ASC,
                options.nullsFirst() ? NullOrder.NULLS_FIRST : NullOrder.NULLS_LAST));
      }
    }

    void accept(Batch batch) {
      for (int row = 0; row < batch.rowCount(); row++) {
        EncodedKey key = key(batch, row);
        if (last != null && last.compareTo(key) > 0) {
          throw new IllegalStateException(
              "files are verified to be ordered by " + ordering + ", but their rows are not");
        }
        last = key;
      }
    }

    private EncodedKey key(Batch batch, int row) {
      List<@Nullable Object> values = new ArrayList<>(columns.size());
      for (int i = 0; i < columns.size(); i++) {
        Column column = batch.column(columns.get(i));
        KeyType type = parts.get(i).type();
        values.add(
            column.isNull(row)
                ? null
                : KeyEncoding.decodeValue(type, ColumnKeys.encode(column, row)));
      }
      return KeyEncoding.encode(parts, values);
    }
  }

  private final BatchStream stream;
  private final List<Check> checks;

  private CheckedOrderStream(BatchStream stream, List<Check> checks) {
    this.stream = stream;
    this.checks = checks;
  }

  static BatchStream of(BatchStream stream, List<LexOrdering> orderings) {
    List<Check> checks =
        orderings.stream()
            .filter(o -> o.keys().stream().allMatch(k -> k.expr() instanceof ColumnExpr))
            .map(Check::new)
            .toList();
    return checks.isEmpty() ? stream : new CheckedOrderStream(stream, checks);
  }

  @Override
  public Schema schema() {
    return stream.schema();
  }

  @Override
  public @Nullable Batch next() {
    Batch batch = stream.next();
    if (batch != null) {
      checks.forEach(check -> check.accept(batch));
    }
    return batch;
  }

  @Override
  public void close() {
    stream.close();
  }
}
