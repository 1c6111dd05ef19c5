package dev.varve.engine.scan;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Predicates;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.kernel.Booleans;
import dev.varve.engine.type.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One conjunct that a scan evaluates on the few columns it needs. On a dictionary column it is
 * evaluated once per entry. Confined to one task.
 */
final class ScanFilter {
  private final PhysicalExpr predicate;
  private final int[] columns;
  private final Schema schema;
  private final EvalContext context;
  private final boolean perEntry;

  private @Nullable Column dictionary;
  private byte[] verdicts = new byte[0];
  private byte nullVerdict;

  /** {@code filter} is over the table's columns. */
  ScanFilter(PhysicalExpr filter, ScanTable table, EvalContext context) {
    this.columns = Exprs.columns(filter).stream().toArray();
    int[] mapping = new int[table.columns().size()];
    java.util.Arrays.fill(mapping, -1);
    for (int i = 0; i < columns.length; i++) {
      mapping[columns[i]] = i;
    }
    this.predicate = Exprs.remap(filter, mapping);
    this.schema = table.schema(java.util.Arrays.stream(columns).boxed().toList()).nullable();
    this.context = context;
    // An entry that no row refers to must not fail the query.
    this.perEntry =
        columns.length == 1 && !filter.fallible() && filter.volatility() != Volatility.VOLATILE;
  }

  /** Positions in the table. */
  int[] columns() {
    return columns;
  }

  /** Writes the rows that pass, ascending, and answers how many. */
  int select(List<Column> values, int rows, int[] selection) {
    if (perEntry
        && values.getFirst() instanceof DictionaryColumn coded
        && coded.dictionary().length() <= Math.max(rows, 1024)) {
      return selectCodes(coded, selection);
    }
    return Predicates.select(predicate, new Batch(schema, values, rows), context, selection);
  }

  private int selectCodes(DictionaryColumn coded, int[] selection) {
    if (dictionary != coded.dictionary()) {
      dictionary = coded.dictionary();
      verdicts = verdicts(coded.dictionary());
      nullVerdict = verdicts(ConstantColumn.nulls(coded.type(), 1))[0];
    }
    int[] codes = coded.codes();
    int offset = coded.offset();
    int rows = coded.length();
    byte[] validity = coded.validity();
    byte[] table = verdicts;
    int count = 0;
    if (validity == null) {
      for (int i = 0; i < rows; i++) {
        selection[count] = i;
        count += table[codes[offset + i]];
      }
    } else {
      for (int i = 0; i < rows; i++) {
        selection[count] = i;
        count += validity[offset + i] != 0 ? table[codes[offset + i]] : nullVerdict;
      }
    }
    return count;
  }

  private byte[] verdicts(Column values) {
    byte[] marks = new byte[values.length()];
    if (marks.length > 0) {
      BooleanColumn result =
          Booleans.flat(
              predicate.evaluate(new Batch(schema, List.of(values), marks.length), context));
      Booleans.markTrue(result, marks);
    }
    return marks;
  }
}
