package dev.varve.catalog.index;

import dev.varve.layout.Bound;
import dev.varve.layout.ColumnFacts;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.RowGroupFacts;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.key.EncodedKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Packs facts into the blobs of the index. All numbers are varints; a key is its length and bytes.
 *
 * <pre>
 * stats      columns, count of orderings, orderings
 * rowgroups  count, then per group: start offset, rows, columns
 * columns    count, then by ascending field id: id, flags, [lower], [upper], [nulls], [NaNs],
 *            [bytes], [distinct]
 *            flags: 1 lower, 2 lower exact, 4 upper, 8 upper exact, 16 nulls, 32 NaNs, 64 bytes,
 *            128 distinct
 * ordering   trust, count of fields, per field: id, 1 DESC | 2 nulls last; flags, [lower, upper]
 *            flags: 1 range, 2 lower exact, 4 upper exact
 * </pre>
 *
 * A blob carries {@link #VERSION} in a column beside it; a reader that does not know the version
 * takes the facts as absent. Version 1 had no counts of distinct values.
 */
final class FactsCodec {
  static final int VERSION = 2;

  private static final List<Trust> TRUSTS = List.of(Trust.ASSERTED, Trust.VERIFIED, Trust.VIOLATED);

  private FactsCodec() {}

  /** Whether blobs of a version can be read. */
  static boolean reads(int version) {
    return version >= 1 && version <= VERSION;
  }

  /** The content of a stats blob. */
  record FileStats(Map<Integer, ColumnFacts> columns, List<OrderingFact> orderings) {
    static final FileStats NONE = new FileStats(Map.of(), List.of());
  }

  static byte[] encodeStats(FileFacts facts) {
    BlobWriter out = new BlobWriter();
    writeColumns(out, facts.columns().values());
    out.varint(facts.orderings().size());
    for (OrderingFact fact : facts.orderings()) {
      writeOrdering(out, fact);
    }
    return out.toByteArray();
  }

  static FileStats decodeStats(byte[] blob) {
    BlobReader in = new BlobReader(blob);
    Map<Integer, ColumnFacts> columns = columns(blob, in);
    int count = in.count();
    List<OrderingFact> orderings = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      orderings.add(readOrdering(in));
    }
    in.end();
    return new FileStats(columns, orderings);
  }

  static byte[] encodeRowGroups(List<RowGroupFacts> rowGroups) {
    BlobWriter out = new BlobWriter();
    out.varint(rowGroups.size());
    for (RowGroupFacts group : rowGroups) {
      out.varint(group.startOffset());
      out.varint(group.rowCount());
      writeColumns(out, group.columns().values());
    }
    return out.toByteArray();
  }

  static List<RowGroupFacts> decodeRowGroups(byte[] blob) {
    BlobReader in = new BlobReader(blob);
    int count = in.count();
    List<RowGroupFacts> groups = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long offset = in.varint();
      long rows = in.varint();
      groups.add(new RowGroupFacts(offset, rows, columns(blob, in)));
    }
    in.end();
    return groups;
  }

  private static void writeColumns(BlobWriter out, Collection<ColumnFacts> columns) {
    Map<Integer, ColumnFacts> sorted = new TreeMap<>();
    columns.forEach(column -> sorted.put(column.fieldId(), column));
    out.varint(sorted.size());
    for (ColumnFacts column : sorted.values()) {
      out.varint(column.fieldId());
      int flags = boundFlags(column.lower()) | boundFlags(column.upper()) << 2;
      flags |= column.nullCount().isPresent() ? 16 : 0;
      flags |= column.nanCount().isPresent() ? 32 : 0;
      flags |= column.sizeBytes().isPresent() ? 64 : 0;
      flags |= column.distinctCount().isPresent() ? 128 : 0;
      out.varint(flags);
      writeBound(out, column.lower());
      writeBound(out, column.upper());
      column.nullCount().ifPresent(out::varint);
      column.nanCount().ifPresent(out::varint);
      column.sizeBytes().ifPresent(out::varint);
      column.distinctCount().ifPresent(out::varint);
    }
  }

  /** Columns that stay packed; the reader goes on behind them. */
  private static Map<Integer, ColumnFacts> columns(byte[] blob, BlobReader in) {
    PackedColumns columns = new PackedColumns(blob, in.position());
    int count = in.count();
    for (int i = 0; i < count; i++) {
      in.varint();
      skipColumn(in);
    }
    return columns;
  }

  /** A column, behind its id. */
  static ColumnFacts readColumn(BlobReader in, int fieldId) {
    int flags = in.integer();
    return new ColumnFacts(
        fieldId,
        readBound(in, flags),
        readBound(in, flags >> 2),
        optional(in, flags & 16),
        optional(in, flags & 32),
        optional(in, flags & 64),
        optional(in, flags & 128));
  }

  static void skipColumn(BlobReader in) {
    int flags = in.integer();
    for (int bound = 1; bound <= 4; bound *= 4) {
      if ((flags & bound) != 0) {
        in.skipKey();
      }
    }
    for (int count = 16; count <= 128; count *= 2) {
      if ((flags & count) != 0) {
        in.varint();
      }
    }
  }

  private static OptionalLong optional(BlobReader in, int flag) {
    return flag != 0 ? OptionalLong.of(in.varint()) : OptionalLong.empty();
  }

  private static int boundFlags(Bound bound) {
    return switch (bound) {
      case Bound.Unknown _ -> 0;
      case Bound.Inexact _ -> 1;
      case Bound.Exact _ -> 3;
    };
  }

  private static void writeBound(BlobWriter out, Bound bound) {
    switch (bound) {
      case Bound.Unknown _ -> {}
      case Bound.Inexact(EncodedKey key) -> out.key(key);
      case Bound.Exact(EncodedKey key) -> out.key(key);
    }
  }

  private static Bound readBound(BlobReader in, int flags) {
    return switch (flags & 3) {
      case 0 -> Bound.UNKNOWN;
      case 1 -> new Bound.Inexact(in.key());
      case 3 -> new Bound.Exact(in.key());
      default -> throw new IllegalStateException("bound flags " + flags);
    };
  }

  private static void writeOrdering(BlobWriter out, OrderingFact fact) {
    out.varint(TRUSTS.indexOf(fact.trust()));
    out.varint(fact.ordering().fields().size());
    for (OrderingField field : fact.ordering().fields()) {
      out.varint(field.fieldId());
      out.varint(
          (field.direction() == SortDirection.DESC ? 1 : 0)
              | (field.nullOrder() == NullOrder.NULLS_LAST ? 2 : 0));
    }
    out.varint(
        fact.range()
            .map(range -> 1 | (range.lowerExact() ? 2 : 0) | (range.upperExact() ? 4 : 0))
            .orElse(0));
    fact.range()
        .ifPresent(
            range -> {
              out.key(range.lower());
              out.key(range.upper());
            });
  }

  private static OrderingFact readOrdering(BlobReader in) {
    Trust trust = TRUSTS.get(in.integer());
    int count = in.count();
    List<OrderingField> fields = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int fieldId = in.integer();
      int flags = in.integer();
      fields.add(
          new OrderingField(
              fieldId,
              (flags & 1) != 0 ? SortDirection.DESC : SortDirection.ASC,
              (flags & 2) != 0 ? NullOrder.NULLS_LAST : NullOrder.NULLS_FIRST));
    }
    int flags = in.integer();
    Optional<KeyRange> range =
        (flags & 1) == 0
            ? Optional.empty()
            : Optional.of(new KeyRange(in.key(), (flags & 2) != 0, in.key(), (flags & 4) != 0));
    return new OrderingFact(new TableOrdering(fields), trust, range);
  }
}
