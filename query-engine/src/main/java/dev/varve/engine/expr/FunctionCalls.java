package dev.varve.engine.expr;

import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ConstantColumn;
import dev.varve.engine.batch.DictionaryColumn;
import dev.varve.engine.kernel.Dictionaries;
import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;

/** Calls a function as few times as the encodings of its arguments allow. */
final class FunctionCalls {
  private FunctionCalls() {}

  static Column call(
      ScalarFunction function,
      List<Column> arguments,
      int rows,
      DataType type,
      EvalContext context) {
    if (!function.strict() || function.volatility() == Volatility.VOLATILE || rows == 0) {
      return function.evaluate(arguments, rows, type, context);
    }
    int dictionaryAt = -1;
    int others = 0;
    for (int i = 0; i < arguments.size(); i++) {
      Column argument = arguments.get(i);
      if (argument instanceof ConstantColumn constant) {
        if (constant.isNull(0)) {
          return ConstantColumn.nulls(type, rows);
        }
      } else if (argument instanceof DictionaryColumn && dictionaryAt < 0) {
        dictionaryAt = i;
      } else {
        others++;
      }
    }
    if (others > 0) {
      return function.evaluate(arguments, rows, type, context);
    }
    if (dictionaryAt >= 0) {
      int at = dictionaryAt;
      return Dictionaries.map(
          (DictionaryColumn) arguments.get(at),
          entries ->
              function.evaluate(resized(arguments, at, entries), entries.length(), type, context));
    }
    // Only constants: one call gives every row.
    List<Column> single = new ArrayList<>(arguments.size());
    for (Column argument : arguments) {
      single.add(((ConstantColumn) argument).slice(0, 1));
    }
    Column result = function.evaluate(single, 1, type, context);
    return new ConstantColumn(result.flat(), rows);
  }

  private static List<Column> resized(List<Column> arguments, int at, Column entries) {
    List<Column> all = new ArrayList<>(arguments.size());
    for (int i = 0; i < arguments.size(); i++) {
      all.add(
          i == at
              ? entries
              : new ConstantColumn(((ConstantColumn) arguments.get(i)).single(), entries.length()));
    }
    return all;
  }
}
