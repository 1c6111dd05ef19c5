package dev.varve.catalog.index;

import dev.varve.catalog.index.IndexQueries.StoredFacts;
import dev.varve.catalog.store.Sql;
import dev.varve.layout.FileCheck;
import dev.varve.layout.FileFacts;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.Trust;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes up what comparisons of all rows of files found. The bounds of a file stay as they are; only
 * the trust in its orderings and the ranges of its keys change.
 */
final class CheckedFacts {
  /**
   * lh_file.sort_verified: no order is claimed; one was found to hold; none was; one is claimed and
   * was not compared, and no other was found to hold.
   */
  static final int UNCHECKED = 0;

  static final int VERIFIED = 1;
  static final int VIOLATED = 2;
  static final int CLAIMED = 3;

  private CheckedFacts() {}

  /** Returns how many files are known otherwise now. */
  static int record(Sql sql, String tableUuid, List<FileCheck> checks) throws SQLException {
    Optional<Long> tableId =
        sql.first(
            "select table_id from lh_table where table_uuid = ? for update",
            row -> row.getLong(1),
            tableUuid);
    if (tableId.isEmpty()) {
      return 0;
    }
    Map<String, FileCheck> byPath = HashMap.newHashMap(checks.size());
    checks.forEach(check -> byPath.put(check.path(), check));
    long[] hashes = byPath.keySet().stream().mapToLong(PathHash::of).toArray();
    List<StoredFacts> changed = new ArrayList<>();
    List<Long> doubted = new ArrayList<>();
    for (StoredFacts stored : IndexQueries.factsOfPaths(sql, tableId.get(), hashes)) {
      FileFacts known = stored.facts();
      FileCheck check = byPath.get(known.path());
      if (check == null || !known.describes(check.sizeBytes(), check.etag())) {
        continue;
      }
      FileFacts checked = check.applyTo(known);
      if (!checked.equals(known)) {
        changed.add(new StoredFacts(stored.fileId(), checked, stored.packedBytes()));
        if (check.orderings().stream().anyMatch(fact -> fact.trust() == Trust.VIOLATED)) {
          doubted.add(stored.fileId());
        }
      }
    }
    if (changed.isEmpty()) {
      return 0;
    }
    long version = FactsVersion.raise(sql, tableId.get());
    List<@Nullable Object[]> rows = new ArrayList<>(changed.size());
    for (StoredFacts checked : changed) {
      rows.add(
          new @Nullable Object[] {
            FactsCodec.encodeStats(checked.facts()),
            FactsCodec.VERSION,
            state(checked.facts()),
            version,
            tableId.get(),
            checked.fileId()
          });
    }
    sql.batch(
        "update lh_file set stats = ?, enc_version = ?, sort_verified = ?, facts_seq = ?"
            + " where table_id = ? and file_id = ?",
        rows);
    widen(sql, tableId.get(), doubted);
    return changed.size();
  }

  /** Where an order did not hold, the key range that came with it may not either. */
  private static void widen(Sql sql, long tableId, List<Long> fileIds) throws SQLException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (Lines.Line line : Lines.all(sql, tableId)) {
      for (Long fileId : fileIds) {
        rows.add(
            new @Nullable Object[] {
              SplitKeys.WIDEST,
              LifeKey.LEAST.toByteArray(),
              LifeKey.GREATEST.toByteArray(),
              tableId,
              line.lineId(),
              fileId
            });
      }
    }
    sql.batch(
        "update lh_file_live set width_class = ?, k_lo = ?, k_hi = ?"
            + " where table_id = ? and line_id = ? and file_id = ?",
        rows);
  }

  static int state(FileFacts facts) {
    int state = UNCHECKED;
    for (OrderingFact fact : facts.orderings()) {
      switch (fact.trust()) {
        case VERIFIED -> {
          return VERIFIED;
        }
        case ASSERTED -> state = CLAIMED;
        case VIOLATED -> state = state == CLAIMED ? CLAIMED : VIOLATED;
      }
    }
    return state;
  }
}
