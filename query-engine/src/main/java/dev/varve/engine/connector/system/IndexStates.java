package dev.varve.engine.connector.system;

import dev.varve.engine.connector.lake.LakeConnector;
import dev.varve.engine.port.ObjectName;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.IndexState;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/** How far the layout index of each table is behind its commits, as rows. */
final class IndexStates {
  static final Schema SCHEMA =
      Schema.of(
          Field.of("catalog_name", DataType.VARCHAR),
          Field.of("schema_name", DataType.VARCHAR),
          Field.of("table_name", DataType.VARCHAR),
          Field.of("state", DataType.VARCHAR),
          Field.of("current_snapshot", DataType.BIGINT),
          Field.of("indexed_snapshot", DataType.BIGINT),
          Field.of("snapshots_behind", DataType.BIGINT),
          Field.of("behind_millis", DataType.BIGINT),
          Field.of("files_manifest", DataType.BIGINT),
          Field.of("files_footer", DataType.BIGINT),
          Field.of("files_writer", DataType.BIGINT),
          Field.of("files_unreadable", DataType.BIGINT),
          Field.of("files_claimed", DataType.BIGINT),
          Field.of("next_attempt", DataType.TIMESTAMPTZ),
          Field.of("last_error", DataType.VARCHAR),
          Field.of("last_error_at", DataType.TIMESTAMPTZ));

  /** Snapshots looked through for the newest that is indexed. */
  private static final int MAX_ANCESTORS = 1_000;

  private IndexStates() {}

  /** One row; a table that was dropped between listing and looking has none. */
  static Iterator<List<@Nullable Object>> of(LakeConnector lake, ObjectName name) {
    Table table;
    try {
      table = lake.icebergTable(name.schema(), name.table());
    } catch (VarveException e) {
      if (e.code() == ErrorCode.UNDEFINED_TABLE) {
        return Collections.emptyIterator();
      }
      throw e;
    }
    List<Long> snapshots = new ArrayList<>();
    for (Snapshot ancestor : SnapshotUtil.currentAncestors(table)) {
      if (snapshots.size() == MAX_ANCESTORS) {
        break;
      }
      snapshots.add(ancestor.snapshotId());
    }
    Optional<IndexState> state = lake.layoutIndex().state(table.uuid().toString(), snapshots);
    return List.of(row(name, table, snapshots, state)).iterator();
  }

  private static List<@Nullable Object> row(
      ObjectName name, Table table, List<Long> snapshots, Optional<IndexState> known) {
    Snapshot current = table.currentSnapshot();
    OptionalLong indexed = known.map(IndexState::indexedSnapshot).orElse(OptionalLong.empty());
    int behind = indexed.isPresent() ? snapshots.indexOf(indexed.getAsLong()) : -1;
    Snapshot reached = indexed.isPresent() ? table.snapshot(indexed.getAsLong()) : null;
    List<@Nullable Object> row = new ArrayList<>();
    row.add(name.catalog());
    row.add(name.schema());
    row.add(name.table());
    row.add(known.map(state -> describe(state, current == null || behind == 0)).orElse(null));
    row.add(current == null ? null : current.snapshotId());
    row.add(boxed(indexed));
    row.add(current == null ? (Long) 0L : behind < 0 ? null : (Long) (long) behind);
    row.add(
        current == null
            ? (Long) 0L
            : reached == null
                ? null
                : (Long) (current.timestampMillis() - reached.timestampMillis()));
    row.add(known.map(IndexState::manifestFiles).orElse(null));
    row.add(known.map(IndexState::footerFiles).orElse(null));
    row.add(known.map(IndexState::writerFiles).orElse(null));
    row.add(known.map(IndexState::unreadableFiles).orElse(null));
    row.add(known.map(IndexState::claimedFiles).orElse(null));
    row.add(micros(known.map(IndexState::nextAttemptMillis).orElse(OptionalLong.empty())));
    row.add(known.flatMap(IndexState::error).orElse(null));
    row.add(micros(known.map(IndexState::errorMillis).orElse(OptionalLong.empty())));
    return row;
  }

  private static String describe(IndexState state, boolean current) {
    if (state.working()) {
      return "working";
    }
    if (state.nextAttemptMillis().isPresent()) {
      return "failed";
    }
    return !current ? "behind" : state.manifestFiles() > 0 ? "footers missing" : "complete";
  }

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  private static @Nullable Long micros(OptionalLong millis) {
    return millis.isPresent() ? (Long) (millis.getAsLong() * 1000) : null;
  }
}
