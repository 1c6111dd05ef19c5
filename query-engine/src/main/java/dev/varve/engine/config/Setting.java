package dev.varve.engine.config;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.function.Function;

/** One setting of a session: its name, type, default, unit and meaning. */
public record Setting<T>(
    String name,
    Class<T> type,
    T defaultValue,
    String unit,
    String description,
    Function<String, T> parser) {

  /** Reads a value as SET gives it. */
  public T parse(String text) {
    try {
      return parser.apply(text.trim());
    } catch (IllegalArgumentException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "invalid value '" + text + "' for setting " + name + ": " + e.getMessage(),
          e);
    }
  }
}
