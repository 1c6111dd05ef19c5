package dev.varve.engine;

import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A statement that was parsed and checked once, to be run with many values. A change of its tables,
 * of the session's schema or of a setting is noticed when it runs. Safe for concurrent use; it
 * holds nothing that must be closed.
 */
public interface PreparedStatement {
  String sql();

  /** The columns of what it answers; empty for statements that only change something. */
  Optional<Schema> schema();

  /** The types of its parameters, in order; a value of an INSERT is of its column's type. */
  List<DataType> parameterTypes();

  /**
   * Starts it with values for its parameters, Java objects as {@link
   * dev.varve.engine.batch.Column#value} gives them. A query's are converted to the parameters'
   * types, or are INVALID_PARAMETER; files and pages are pruned by them as by literals.
   */
  QueryHandle execute(List<@Nullable Object> parameters);
}
