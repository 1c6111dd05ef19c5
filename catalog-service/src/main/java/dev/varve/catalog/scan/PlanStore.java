package dev.varve.catalog.scan;

import dev.varve.catalog.store.Database;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the pages of large plans in the database, where every node of the catalog finds them, for
 * {@link #LIFETIME}. Safe for concurrent use.
 */
public final class PlanStore {
  /** How long after it began a plan can be read. */
  public static final Duration LIFETIME = Duration.ofHours(1);

  private static final Logger LOG = LoggerFactory.getLogger(PlanStore.class);
  private static final Duration CLEAN_EVERY = Duration.ofMinutes(5);

  private final Database database;
  private final Clock clock;
  private final AtomicLong cleanAtMillis = new AtomicLong();

  public PlanStore(Database database, Clock clock) {
    this.database = database;
    this.clock = clock;
  }

  void begin(String planId, String tableUuid) {
    database.write(
        sql ->
            sql.update(
                "insert into lh_plan(plan_id, table_uuid, created_at_millis) values (?,?,?)",
                planId,
                tableUuid,
                clock.millis()));
    clean();
  }

  void put(String planId, int page, byte[] content) {
    byte[] packed = pack(content);
    database.write(
        sql ->
            sql.update(
                "insert into lh_plan_page(plan_id, page, content) values (?,?,?)",
                planId,
                page,
                packed));
  }

  /** A page of a plan that was made for this table; none when it is unknown, old or cancelled. */
  Optional<byte[]> page(String planId, String tableUuid, int page) {
    return database
        .read(
            sql ->
                sql.first(
                    "select c.content from lh_plan p join lh_plan_page c on c.plan_id = p.plan_id"
                        + " where p.plan_id = ? and p.table_uuid = ? and p.created_at_millis >= ?"
                        + " and c.page = ?",
                    row -> row.getBytes(1),
                    planId,
                    tableUuid,
                    oldest(),
                    page))
        .map(PlanStore::unpack);
  }

  /** Whether there was such a plan. */
  boolean forget(String planId, String tableUuid) {
    return database.write(
        sql -> {
          int plans =
              sql.update(
                  "delete from lh_plan where plan_id = ? and table_uuid = ?", planId, tableUuid);
          if (plans > 0) {
            sql.update("delete from lh_plan_page where plan_id = ?", planId);
          }
          return plans > 0;
        });
  }

  private long oldest() {
    return clock.millis() - LIFETIME.toMillis();
  }

  private void clean() {
    long now = clock.millis();
    long due = cleanAtMillis.get();
    if (now < due || !cleanAtMillis.compareAndSet(due, now + CLEAN_EVERY.toMillis())) {
      return;
    }
    try {
      long before = oldest();
      database.write(
          sql -> {
            sql.update("delete from lh_plan where created_at_millis < ?", before);
            // Also what a planner wrote whose client went away meanwhile.
            return sql.update(
                "delete from lh_plan_page where not exists"
                    + " (select 1 from lh_plan p where p.plan_id = lh_plan_page.plan_id)");
          });
    } catch (RuntimeException e) {
      LOG.warn("old scan plans could not be removed; the next attempt follows", e);
    }
  }

  private static byte[] pack(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new IllegalStateException("memory cannot be written", e);
    }
    return packed.toByteArray();
  }

  private static byte[] unpack(byte[] packed) {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return gzip.readAllBytes();
    } catch (IOException e) {
      throw new VarveException(ErrorCode.IO_ERROR, "a kept scan plan is damaged", e);
    }
  }
}
