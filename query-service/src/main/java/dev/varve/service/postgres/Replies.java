package dev.varve.service.postgres;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The messages of a server that carry no rows. Confined to the connection's thread. */
final class Replies {
  private static final Logger LOG = LoggerFactory.getLogger(Replies.class);
  private static final String IN_FAILED_TRANSACTION = "25P02";

  private final WireOutput out;

  Replies(WireOutput out) {
    this.out = out;
  }

  /**
   * @param sql the statement that failed, in which its position is; null if it is not known
   */
  void error(Throwable failure, @Nullable String sql) throws IOException {
    report('E', "ERROR", failure, sql);
  }

  /** After which the connection is closed. */
  void fatal(Throwable failure) throws IOException {
    report('E', "FATAL", failure, null);
  }

  private void report(char type, String severity, Throwable failure, @Nullable String sql)
      throws IOException {
    VarveException known;
    if (failure instanceof VarveException varve) {
      known = varve;
    } else {
      LOG.error("a PostgreSQL client's statement failed unexpectedly", failure);
      known =
          new VarveException(
              ErrorCode.INTERNAL_ERROR, "internal error; the log has the details", failure);
    }
    SourcePosition position = known.position();
    notice(
        type,
        severity,
        known.code().sqlState(),
        String.valueOf(known.getMessage()),
        known.hint(),
        sql == null || position == null ? 0 : offset(sql, position));
  }

  /** Characters before a place, counted from 1. */
  private static int offset(String sql, SourcePosition place) {
    int line = 1;
    int at = 0;
    while (line < place.line()) {
      int end = sql.indexOf('\n', at);
      if (end < 0) {
        return 0;
      }
      at = end + 1;
      line++;
    }
    return sql.codePointCount(0, Math.min(sql.length(), at)) + place.column();
  }

  void inFailedBlock() throws IOException {
    notice(
        'E',
        "ERROR",
        IN_FAILED_TRANSACTION,
        "current transaction is aborted, commands ignored until end of transaction block",
        null,
        0);
  }

  void warning(String message) throws IOException {
    notice('N', "WARNING", "01000", message, null, 0);
  }

  private void notice(
      char type, String severity, String state, String message, @Nullable String hint, int position)
      throws IOException {
    out.begin(type);
    field('S', severity);
    field('V', severity);
    field('C', state);
    field('M', message);
    if (hint != null) {
      field('H', hint);
    }
    if (position > 0) {
      field('P', String.valueOf(position));
    }
    out.int8(0).end();
  }

  private void field(char name, String value) {
    out.int8(name).string(value);
  }

  void authentication(int code) throws IOException {
    out.begin('R').int32(code).end();
  }

  void parameter(String name, String value) throws IOException {
    out.begin('S').string(name).string(value).end();
  }

  void key(int process, int secret) throws IOException {
    out.begin('K').int32(process).int32(secret).end();
  }

  void ready(char status) throws IOException {
    out.begin('Z').int8(status).end();
    out.flush();
  }

  void complete(String tag) throws IOException {
    out.begin('C').string(tag).end();
  }

  /** A message of nothing but its type. */
  void empty(char type) throws IOException {
    out.begin(type).end();
  }

  void parameterTypes(int[] oids) throws IOException {
    out.begin('t').int16(oids.length);
    for (int oid : oids) {
      out.int32(oid);
    }
    out.end();
  }
}
