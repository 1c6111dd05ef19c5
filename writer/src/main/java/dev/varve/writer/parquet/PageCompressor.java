package dev.varve.writer.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import dev.varve.writer.option.Codec;
import io.airlift.compress.lz4.Lz4Compressor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.xerial.snappy.Snappy;

/** Compresses pages with one codec. Confined to the task that borrowed it. */
interface PageCompressor extends AutoCloseable {

  /** Appends the compressed form of the bytes to {@code out}. */
  void compress(byte[] source, int offset, int count, ByteSink out) throws IOException;

  @Override
  default void close() {}

  static PageCompressor of(Codec codec, int level) {
    return switch (codec) {
      case UNCOMPRESSED -> (source, offset, count, out) -> out.write(source, offset, count);
      case SNAPPY ->
          (source, offset, count, out) -> {
            out.reserve(Snappy.maxCompressedLength(count));
            out.advance(Snappy.compress(source, offset, count, out.array(), out.size()));
          };
      case LZ4_RAW -> lz4();
      case GZIP -> (source, offset, count, out) -> gzip(source, offset, count, level, out);
      case ZSTD -> new ZstdPages(level);
    };
  }

  private static PageCompressor lz4() {
    Lz4Compressor compressor = new Lz4Compressor();
    return (source, offset, count, out) -> {
      int bound = compressor.maxCompressedLength(count);
      out.reserve(bound);
      out.advance(compressor.compress(source, offset, count, out.array(), out.size(), bound));
    };
  }

  private static void gzip(byte[] source, int offset, int count, int level, ByteSink out)
      throws IOException {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream(count / 2 + 64);
    try (GZIPOutputStream stream =
        new GZIPOutputStream(buffer) {
          {
            def.setLevel(Math.min(level, Deflater.BEST_COMPRESSION));
          }
        }) {
      stream.write(source, offset, count);
    }
    out.write(buffer.toByteArray(), 0, buffer.size());
  }

  /** A native context is costly to make and is kept. */
  final class ZstdPages implements PageCompressor {
    private final ZstdCompressCtx context = new ZstdCompressCtx();

    ZstdPages(int level) {
      context.setLevel(level);
    }

    @Override
    public void compress(byte[] source, int offset, int count, ByteSink out) {
      int bound = Math.toIntExact(Zstd.compressBound(count));
      out.reserve(bound);
      out.advance(context.compressByteArray(out.array(), out.size(), bound, source, offset, count));
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
