package dev.varve.service.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.varve.engine.QueryProgress;
import dev.varve.service.web.Problem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What lists and the history say of a query.
 *
 * @param state of the engine, or {@link #LOST}
 * @param fetchingMillis how long the query stood still because its client had not fetched; a part
 *     of the execution time
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record QueryRecord(
    String id,
    String user,
    String state,
    @Nullable String statement,
    String sql,
    Instant submittedAt,
    @Nullable Instant endedAt,
    QueryProgress progress,
    long fetchingMillis,
    @Nullable Problem error) {
  /** The process ended while the query ran: what became of it is not known here. */
  static final String LOST = "LOST";

  QueryRecord withSql(String text) {
    return new QueryRecord(
        id, user, state, statement, text, submittedAt, endedAt, progress, fetchingMillis, error);
  }

  QueryRecord lost() {
    return new QueryRecord(
        id, user, LOST, statement, sql, submittedAt, null, progress, fetchingMillis, error);
  }

  boolean hasEnded() {
    return endedAt != null;
  }
}
