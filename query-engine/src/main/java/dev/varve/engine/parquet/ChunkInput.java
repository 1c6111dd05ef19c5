package dev.varve.engine.parquet;

import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of one column chunk, read ahead by windows from buffersed arrays. Where only some pages
 * are needed, windows keep to those. Confined to one task.
 */
final class ChunkInput implements AutoCloseable {
  static final int WINDOW_BYTES = 1 << 20;

  private static final byte[] EMPTY = new byte[0];

  /** Writers before 2013 left the header of the dictionary page out of a chunk's size. */
  private static final int TOLERATED_BYTES = 100;

  /** A part of the file that is needed: half-open. */
  record Piece(long start, long end) {
    int length() {
      return (int) (end - start);
    }
  }

  /** A part of the file that was read together with others; its owner gives the array back. */
  private record Loaded(long start, long end, byte[] buffer, long bufferStart) {}

  private final ParquetInput input;
  private final ScanBuffers buffers;
  private final long end;
  private final long hardEnd;
  private final List<Piece> pieces;
  private final List<Loaded> loaded = new ArrayList<>();

  private byte[] buffer = EMPTY;
  private boolean owned;
  private boolean touched;
  private long bufferStart;
  private long bufferEnd;

  ChunkInput(ParquetInput input, ScanBuffers buffers, long start, long end, List<Piece> pieces) {
    this.input = input;
    this.buffers = buffers;
    this.end = end;
    this.hardEnd = Math.min(input.size() - 8, end + TOLERATED_BYTES);
    this.pieces = pieces;
    this.bufferStart = start;
    this.bufferEnd = start;
  }

  List<Piece> pieces() {
    return pieces;
  }

  void provide(Piece piece, byte[] shared, long sharedStart) {
    touched = true;
    loaded.add(new Loaded(piece.start, piece.end, shared, sharedStart));
  }

  /** Bytes that are left from {@code position} on. */
  long left(long position) {
    return hardEnd - position;
  }

  boolean isEnd(long position) {
    return position >= end;
  }

  /** Makes [position, position + length) readable in {@link #buffer()} at {@link #index}. */
  void ensure(long position, int length) {
    if (length > left(position)) {
      throw new CorruptPageException(
          "a page at offset "
              + position
              + " needs "
              + length
              + " bytes, but its column chunk ends at "
              + end);
    }
    if (position >= bufferStart && position + length <= bufferEnd) {
      return;
    }
    for (Loaded part : loaded) {
      if (position >= part.start && position + length <= part.end) {
        release();
        buffer = part.buffer;
        bufferStart = part.bufferStart;
        bufferEnd = part.end;
        owned = false;
        return;
      }
    }
    fill(position, length);
  }

  private void fill(long position, int length) {
    touched = true;
    long wantedEnd =
        Math.max(position + length, Math.min(limit(position), position + WINDOW_BYTES));
    int size = (int) (wantedEnd - position);
    byte[] ahead = size > length ? buffers.tryBorrow(size + RleDecoder.SLACK) : null;
    if (ahead == null) {
      size = length;
    }
    byte[] next = ahead == null ? buffers.borrow(size + RleDecoder.SLACK) : ahead;
    int kept = 0;
    if (position >= bufferStart && position < bufferEnd) {
      kept = (int) Math.min(bufferEnd - position, size);
      System.arraycopy(buffer, (int) (position - bufferStart), next, 0, kept);
    }
    release();
    buffer = next;
    owned = true;
    bufferStart = position;
    bufferEnd = position;
    input.readFully(position + kept, next, kept, size - kept);
    bufferEnd = position + size;
  }

  /** Where reading ahead from {@code position} should stop. */
  private long limit(long position) {
    for (Piece piece : pieces) {
      if (position >= piece.start && position < piece.end) {
        return piece.end;
      }
    }
    return Math.min(position, end);
  }

  byte[] buffer() {
    return buffer;
  }

  int index(long position) {
    return (int) (position - bufferStart);
  }

  /** One past the last readable byte at or after {@code position}, as an index. */
  int readableEnd() {
    return (int) (bufferEnd - bufferStart);
  }

  /** Gives the bytes back if none from {@code position} on are among them. */
  void passed(long position) {
    if (position >= bufferEnd) {
      release();
      bufferStart = position;
      bufferEnd = position;
    }
  }

  private void release() {
    byte[] old = buffer;
    buffer = EMPTY;
    if (owned) {
      owned = false;
      buffers.giveBack(old);
    }
  }

  @Override
  public void close() {
    release();
    bufferEnd = bufferStart;
    loaded.clear();
  }

  /** Whether nothing was read yet. */
  boolean isUntouched() {
    return !touched;
  }
}
