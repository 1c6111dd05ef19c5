package dev.varve.writer.parquet;

import dev.varve.writer.option.Codec;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The compressors of one writer: as many as tasks compress at once, however many columns there are.
 * Safe for concurrent use; closing waits for nobody.
 */
public final class Compressors implements AutoCloseable {
  private final Codec codec;
  private final int level;
  private final Deque<PageCompressor> idle = new ArrayDeque<>();
  private boolean closed;

  public Compressors(Codec codec, int level) {
    this.codec = codec;
    this.level = level;
  }

  Codec codec() {
    return codec;
  }

  void compress(byte[] source, int offset, int count, ByteSink out) throws IOException {
    PageCompressor compressor = borrow();
    try {
      compressor.compress(source, offset, count, out);
    } finally {
      giveBack(compressor);
    }
  }

  private PageCompressor borrow() {
    PageCompressor compressor = poll();
    return compressor != null ? compressor : PageCompressor.of(codec, level);
  }

  private synchronized @Nullable PageCompressor poll() {
    return idle.poll();
  }

  private synchronized void giveBack(PageCompressor compressor) {
    if (closed) {
      compressor.close();
    } else {
      idle.push(compressor);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    idle.forEach(PageCompressor::close);
    idle.clear();
  }
}
