package dev.varve.layout.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.PositionOutputStream;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileIOTest {
  private final LocalFileIO io = new LocalFileIO();

  @TempDir Path directory;

  @Test
  void readsWhatItWroteAtAnyPositionAndInAnyPieces() throws IOException {
    long seed = 20261130;
    Random random = new Random(seed);
    byte[] content = new byte[300_000];
    random.nextBytes(content);
    String location = "file:" + directory.resolve("a/b/c.bin");
    try (PositionOutputStream out = io.newOutputFile(location).create()) {
      for (int at = 0; at < content.length; ) {
        int count = Math.min(content.length - at, random.nextInt(1, 100_000));
        out.write(content, at, count);
        at += count;
        assertThat(out.getPos()).isEqualTo(at);
        if (at < content.length) {
          out.write(content[at++]);
        }
      }
    }
    assertThat(io.newInputFile(location).getLength()).isEqualTo(content.length);
    assertThat(io.newInputFile(location).exists()).isTrue();
    try (SeekableInputStream in = io.newInputFile(location).newStream()) {
      for (int round = 0; round < 500; round++) {
        int from = random.nextInt(content.length);
        int count = Math.min(content.length - from, random.nextInt(1, 60_000));
        if (random.nextBoolean()) {
          in.seek(from);
          assertThat(in.readNBytes(count))
              .as("seed %d, round %d", seed, round)
              .isEqualTo(Arrays.copyOfRange(content, from, from + count));
          assertThat(in.getPos()).isEqualTo(from + count);
        } else {
          byte[] target = new byte[count + 2];
          ((RangeReadable) in).readFully(from, target, 1, count);
          assertThat(Arrays.copyOfRange(target, 1, count + 1))
              .isEqualTo(Arrays.copyOfRange(content, from, from + count));
        }
      }
      in.seek(content.length);
      assertThat(in.read()).isEqualTo(-1);
      assertThat(in.read(new byte[40_000])).isEqualTo(-1);
      byte[] tail = new byte[10];
      assertThat(((RangeReadable) in).readTail(tail)).isEqualTo(10);
      assertThat(tail).isEqualTo(Arrays.copyOfRange(content, content.length - 10, content.length));
      assertThatThrownBy(() -> ((RangeReadable) in).readFully(content.length - 4, new byte[8]))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("ends at byte 300000");
    }
  }

  @Test
  void understandsPathsAndFileUrisAndNothingElse() {
    Path path = Path.of("/data/x y%20z");
    assertThat(LocalFileIO.path("/data/x y%20z")).isEqualTo(path);
    assertThat(LocalFileIO.path("file:/data/x y%20z")).isEqualTo(path);
    assertThat(LocalFileIO.path("file:///data/x y%20z")).isEqualTo(path);
    assertThat(LocalFileIO.path("FILE://localhost/data/x y%20z")).isEqualTo(path);
    assertThat(LocalFileIO.path("/data/a:b")).isEqualTo(Path.of("/data/a:b"));
    for (String other : new String[] {"s3://bucket/key", "file://host/x", "hdfs:/x", "", "file:"}) {
      assertThatThrownBy(() -> io.newInputFile(other))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PARAMETER))
          .hasMessageContaining("'" + other + "'");
    }
  }

  @Test
  void createRefusesAFileThatExistsAndOverwriteReplacesIt() throws IOException {
    String location = directory.resolve("f").toString();
    io.newOutputFile(location).create().close();
    assertThatThrownBy(() -> io.newOutputFile(location).create())
        .isInstanceOf(AlreadyExistsException.class);
    try (PositionOutputStream out = io.newOutputFile(location).createOrOverwrite()) {
      out.write(new byte[] {1, 2, 3});
    }
    assertThat(Path.of(location)).hasBinaryContent(new byte[] {1, 2, 3});
    io.deleteFile(location);
    io.deleteFile(location);
    assertThat(io.newInputFile(location).exists()).isFalse();
  }

  @Test
  void saysWhichFileIsMissing() {
    String location = "file:" + directory.resolve("gone.parquet");
    assertThatThrownBy(() -> io.newInputFile(location).newStream())
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND))
        .hasMessage("file '" + location + "' does not exist");
    assertThatThrownBy(() -> io.newInputFile(location).getLength())
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND));
    assertThatThrownBy(() -> io.newInputFile(directory.toString()).newStream())
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
        .hasMessageContaining("is a directory");
  }

  @Test
  void saysThatAWarehouseCannotBeWritten() throws IOException {
    Path file = Files.createFile(directory.resolve("warehouse"));
    assertThatThrownBy(() -> io.newOutputFile(file.resolve("t/data.parquet").toString()).create())
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.IO_ERROR))
        .hasMessageContaining("warehouse");
  }

  @Test
  void aFullDiskIsNamedAndTheFileDoesNotCountAsWritten() {
    assumeThat(Files.isWritable(Path.of("/dev/full"))).as("/dev/full is there").isTrue();
    PositionOutputStream out = io.newOutputFile("/dev/full").createOrOverwrite();
    assertThatThrownBy(() -> out.write(new byte[100_000]))
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL))
        .hasMessageContaining("no space is left");
    assertThatThrownBy(out::close)
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
    // What only shows when the buffer is emptied fails the close as well.
    PositionOutputStream small = io.newOutputFile("/dev/full").createOrOverwrite();
    assertThatThrownBy(
            () -> {
              small.write(1);
              small.close();
            })
        .isInstanceOfSatisfying(
            VarveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DISK_FULL));
  }

  @Test
  void refusesToWriteAfterClose() throws IOException {
    PositionOutputStream out = io.newOutputFile(directory.resolve("c").toString()).create();
    out.close();
    out.close();
    assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class);
  }

  @Test
  void survivesSerialization() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(io);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      FileIO copy = (FileIO) in.readObject();
      String location = directory.resolve("s").toString();
      copy.newOutputFile(location).create().close();
      assertThat(copy.newInputFile(location).exists()).isTrue();
    }
  }
}
