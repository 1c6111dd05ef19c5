package dev.varve.engine.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/** Undoes the codecs of pages. The target's length is known from the page and must be met. */
final class Decompressor {
  private Decompressor() {}

  static void check(CompressionCodecName codec, String column, String path) {
    switch (codec) {
      case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4, LZ4_RAW -> {}
      case BROTLI, LZO ->
          throw new VarveException(
              ErrorCode.FEATURE_NOT_SUPPORTED,
              path
                  + ": column "
                  + column
                  + " is compressed by "
                  + codec
                  + ", which is not supported");
    }
  }

  /**
   * @param text whether the page holds byte arrays: of their snappy data, which are long rows of
   *     copies, the library is faster; of numbers and codes, {@link SnappyDecoder} is
   */
  static void decompress(
      CompressionCodecName codec,
      boolean text,
      byte[] source,
      int from,
      int length,
      byte[] target,
      int at,
      int targetLength) {
    long produced;
    try {
      produced =
          switch (codec) {
            case SNAPPY ->
                text
                    ? snappy(source, from, length, target, at, targetLength)
                    : SnappyDecoder.decompress(source, from, length, target, at, targetLength);
            case GZIP -> gzip(source, from, length, target, at, targetLength);
            case ZSTD -> zstd(source, from, length, target, at, targetLength);
            case LZ4 -> hadoopLz4(source, from, length, target, at, targetLength);
            case LZ4_RAW -> lz4(source, from, length, target, at, targetLength);
            case UNCOMPRESSED, BROTLI, LZO ->
                throw new IllegalStateException("decompression of " + codec);
          };
    } catch (IOException | ZstdException | MalformedInputException | IndexOutOfBoundsException e) {
      throw new CorruptPageException("a page is no " + codec + " data: " + e.getMessage());
    }
    if (produced != targetLength) {
      throw new CorruptPageException(
          "a page holds " + produced + " bytes, but its header says " + targetLength);
    }
  }

  private static long snappy(
      byte[] source, int from, int length, byte[] target, int at, int targetLength)
      throws IOException {
    int declared = Snappy.uncompressedLength(source, from, length);
    if (declared != targetLength) {
      return declared;
    }
    return Snappy.uncompress(source, from, length, target, at);
  }

  private static long zstd(
      byte[] source, int from, int length, byte[] target, int at, int targetLength) {
    long produced = Zstd.decompressByteArray(target, at, targetLength, source, from, length);
    if (Zstd.isError(produced)) {
      throw new CorruptPageException("a page is no ZSTD data: " + Zstd.getErrorName(produced));
    }
    return produced;
  }

  /** Reads one byte more than it should find, so that too much data is noticed. */
  private static long gzip(
      byte[] source, int from, int length, byte[] target, int at, int targetLength)
      throws IOException {
    try (GZIPInputStream stream =
        new GZIPInputStream(new ByteArrayInputStream(source, from, length), 8192)) {
      int produced = stream.readNBytes(target, at, targetLength);
      return produced == targetLength && stream.read() >= 0 ? produced + 1L : produced;
    }
  }

  private static long lz4(
      byte[] source, int from, int length, byte[] target, int at, int targetLength) {
    return new Lz4Decompressor().decompress(source, from, length, target, at, targetLength);
  }

  /**
   * The LZ4 codec means Hadoop's framing (a big-endian length of the whole, then blocks with
   * lengths of their own), but some writers stored a bare block under that name.
   */
  private static long hadoopLz4(
      byte[] source, int from, int length, byte[] target, int at, int targetLength) {
    if (isHadoopFramed(source, from, length, targetLength)) {
      try {
        return hadoopFrames(source, from, length, target, at, targetLength);
      } catch (MalformedInputException e) {
        return lz4(source, from, length, target, at, targetLength);
      }
    }
    return lz4(source, from, length, target, at, targetLength);
  }

  private static boolean isHadoopFramed(byte[] source, int from, int length, int targetLength) {
    if (length < 8) {
      return false;
    }
    int block = bigEndian(source, from);
    int compressed = bigEndian(source, from + 4);
    return block >= 0 && block <= targetLength && compressed >= 0 && compressed <= length - 8;
  }

  private static long hadoopFrames(
      byte[] source, int from, int length, byte[] target, int at, int targetLength) {
    int end = from + length;
    int position = from;
    int produced = 0;
    while (position < end) {
      if (end - position < 8) {
        throw new MalformedInputException(position);
      }
      int block = bigEndian(source, position);
      position += 4;
      int blockEnd = produced + block;
      if (block < 0 || blockEnd < 0 || blockEnd > targetLength) {
        throw new MalformedInputException(position);
      }
      while (produced < blockEnd) {
        if (end - position < 4) {
          throw new MalformedInputException(position);
        }
        int compressed = bigEndian(source, position);
        position += 4;
        if (compressed < 0 || compressed > end - position) {
          throw new MalformedInputException(position);
        }
        int written =
            new Lz4Decompressor()
                .decompress(
                    source, position, compressed, target, at + produced, blockEnd - produced);
        if (written <= 0) {
          throw new MalformedInputException(position);
        }
        produced += written;
        position += compressed;
      }
    }
    return produced;
  }

  private static int bigEndian(byte[] buffer, int at) {
    return (buffer[at] & 0xff) << 24
        | (buffer[at + 1] & 0xff) << 16
        | (buffer[at + 2] & 0xff) << 8
        | (buffer[at + 3] & 0xff);
  }
}
