package dev.varve.engine.kernel;

import dev.varve.engine.batch.*;
import dev.varve.engine.type.DataType;
import java.util.List;

public final class InSet {
  public static InSet of(DataType type, List<Column> literals) {
    return new InSet();
  }

  public Column contains(Column c, boolean negated) {
    throw new IllegalStateException("in");
  }
}
