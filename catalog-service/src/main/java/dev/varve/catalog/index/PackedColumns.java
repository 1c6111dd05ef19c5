package dev.varve.catalog.index;

import dev.varve.layout.ColumnFacts;
import dev.varve.layout.LazyColumns;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Columns as {@link FactsCodec} packed them, each unpacked when it is asked for. */
final class PackedColumns extends LazyColumns {
  private final byte[] blob;
  private final int start;
  private final int count;

  /** {@code offset} is where the blob counts them. */
  PackedColumns(byte[] blob, int offset) {
    BlobReader in = new BlobReader(blob, offset);
    this.blob = blob;
    this.count = in.count();
    this.start = in.position();
  }

  @Override
  public int size() {
    return count;
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return get(key) != null;
  }

  @Override
  public @Nullable ColumnFacts get(@Nullable Object key) {
    if (!(key instanceof Integer wanted)) {
      return null;
    }
    BlobReader in = new BlobReader(blob, start);
    for (int i = 0; i < count; i++) {
      int fieldId = in.integer();
      if (fieldId == wanted) {
        return FactsCodec.readColumn(in, fieldId);
      }
      // They ascend.
      if (fieldId > wanted) {
        return null;
      }
      FactsCodec.skipColumn(in);
    }
    return null;
  }

  @Override
  public Set<Map.Entry<Integer, ColumnFacts>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public int size() {
        return count;
      }

      @Override
      public Iterator<Map.Entry<Integer, ColumnFacts>> iterator() {
        return new Columns();
      }
    };
  }

  private final class Columns implements Iterator<Map.Entry<Integer, ColumnFacts>> {
    private final BlobReader in = new BlobReader(blob, start);
    private int read;

    @Override
    public boolean hasNext() {
      return read < count;
    }

    @Override
    public Map.Entry<Integer, ColumnFacts> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      read++;
      int fieldId = in.integer();
      return Map.entry(fieldId, FactsCodec.readColumn(in, fieldId));
    }
  }
}
