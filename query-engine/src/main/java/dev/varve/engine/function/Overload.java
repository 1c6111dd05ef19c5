package dev.varve.engine.function;

import dev.varve.engine.type.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One meaning of a function's name. */
@FunctionalInterface
public interface Overload {
  /**
   * The call's resolution for these arguments, null if it does not take them. {@link DataType#NULL}
   * is the type of an untyped literal: a null or a text that stands for a value of any type.
   */
  @Nullable Resolution resolve(List<DataType> arguments, Constants constants);

  /** The values of arguments that are constants, for results whose type they decide. */
  @FunctionalInterface
  interface Constants {
    Constants NONE = index -> null;

    /** As {@link dev.varve.engine.batch.Column#value} gives it; null if it is not a constant. */
    @Nullable Object value(int index);
  }
}
