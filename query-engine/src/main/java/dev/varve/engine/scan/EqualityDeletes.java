package dev.varve.engine.scan;

import dev.varve.engine.batch.Column;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.kernel.key.KeyEncoder;
import dev.varve.engine.kernel.key.KeyLayout;
import dev.varve.engine.kernel.key.KeyTable;
import dev.varve.engine.kernel.key.RowKeys;
import dev.varve.engine.memory.MemoryReservation;
import java.util.Arrays;
import java.util.List;

/**
 * The values that equality deletes of one partition and one set of columns delete, each with the
 * greatest sequence number that deletes it: a row is deleted if its file's number is smaller. Keys
 * are equal as everywhere in the engine, and nulls equal nulls. Confined to one task while it is
 * filled, which {@link #seal} ends; safe for concurrent lookups afterwards.
 */
final class EqualityDeletes implements KeyTable.Growth {
  private final List<ScanColumn> columns;
  private final KeyLayout layout;
  private final KeyTable table;
  private final KeyEncoder encoder;
  private final MemoryReservation memory;
  private long[] sequences = {};
  private int[] ids = {};

  EqualityDeletes(List<ScanColumn> columns, MemoryReservation memory, boolean constantHash) {
    this.columns = List.copyOf(columns);
    this.layout = KeyLayout.unordered(columns.stream().map(ScanColumn::type).toList());
    this.table = new KeyTable(layout, HashSeed.JOIN_TABLE, constantHash);
    this.encoder = new KeyEncoder(layout);
    this.memory = memory;
  }

  List<ScanColumn> columns() {
    return columns;
  }

  /** Adds the values of a delete file. */
  void add(Column[] values, int count, long sequenceNumber) {
    if (ids.length < count) {
      ids = new int[count];
    }
    RowKeys keys = encoder.encode(values, count);
    int before = table.size();
    if (table.insert(keys, 0, ids, this) < count) {
      throw new IllegalStateException("memory was refused without an error");
    }
    // What is new starts below every number.
    Arrays.fill(sequences, before, table.size(), Long.MIN_VALUE);
    for (int i = 0; i < count; i++) {
      sequences[ids[i]] = Math.max(sequences[ids[i]], sequenceNumber);
    }
  }

  void seal() {
    ids = new int[0];
  }

  @Override
  public boolean reserve(long bytes, int capacity) {
    long more = capacity > sequences.length ? 8L * capacity : 0;
    memory.grow(bytes + more);
    if (more > 0) {
      int before = sequences.length;
      sequences = Arrays.copyOf(sequences, capacity);
      memory.shrink(8L * before);
    }
    return true;
  }

  @Override
  public void release(long bytes) {
    memory.shrink(bytes);
  }

  /** What asks rows of a file with this sequence number. */
  Lookup lookup(long fileSequenceNumber) {
    return new Lookup(fileSequenceNumber);
  }

  /** Confined to one task: it has scratch space. */
  final class Lookup {
    private final long fileSequenceNumber;
    private final KeyEncoder own = new KeyEncoder(layout);
    private int[] found = {};

    private Lookup(long fileSequenceNumber) {
      this.fileSequenceNumber = fileSequenceNumber;
    }

    /** Writes which rows are left, ascending, and answers how many. */
    int select(Column[] values, int rows, int[] selection) {
      if (found.length < rows) {
        found = new int[rows];
      }
      table.find(own.encode(values, rows), found);
      int count = 0;
      for (int i = 0; i < rows; i++) {
        selection[count] = i;
        int id = found[i];
        count += id < 0 || sequences[id] <= fileSequenceNumber ? 1 : 0;
      }
      return count;
    }
  }
}
