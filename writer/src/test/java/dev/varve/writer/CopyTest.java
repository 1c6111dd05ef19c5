package dev.varve.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.port.SinkFactory.CopyTarget;
import dev.varve.engine.port.TableSink;
import dev.varve.engine.type.Schema;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.io.LocalFileIO;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyTest {
  @TempDir Path folder;

  private final Schema schema = Samples.allTypes();

  @Test
  void duckDbReadsEveryTypeAsItWasWritten() throws Exception {
    long seed = new Random().nextLong();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 30_000; i++) {
      rows.add(Samples.row(schema, random));
    }
    Path file = folder.resolve("all.parquet");
    copy(file, Map.of("page_rows", "1000", "row_group_rows", "7001"), rows, 4, random);
    assertThat(DuckDb.rows("SELECT * FROM '" + file + "'", schema)).isEqualTo(DuckDb.normal(rows));
  }

  @Test
  void filesAreTheSameForOneTaskAndMany() throws Exception {
    Random random = new Random(5);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(Samples.row(schema, random));
    }
    Map<String, String> options = Map.of("row_group_bytes", "200kb", "page_rows", "777");
    byte[] one = copy(folder.resolve("1.parquet"), options, rows, 1, new Random(1));
    byte[] many = copy(folder.resolve("4.parquet"), options, rows, 4, new Random(1));
    byte[] otherEncodings = copy(folder.resolve("e.parquet"), options, rows, 3, new Random(2));
    assertThat(many).isEqualTo(one);
    assertThat(otherEncodings).isEqualTo(one);
  }

  private byte[] copy(
      Path file,
      Map<String, String> options,
      List<List<@Nullable Object>> rows,
      int tasks,
      Random encodings)
      throws Exception {
    try (FakeWork work = FakeWork.of(tasks);
        TableSink sink =
            new WriterSinkFactory(LayoutIndex.none())
                .copy(
                    new CopyTarget(file.toString(), new LocalFileIO(), options, schema, List.of()))
                .open(work)) {
      for (int from = 0; from < rows.size(); from += 1500) {
        Batch batch = Samples.batch(schema, rows.subList(from, Math.min(rows.size(), from + 1500)));
        sink.write(Samples.encoded(batch, encodings));
      }
      sink.finish();
      sink.close();
      assertThat(work.reserved()).isZero();
      assertThat(work.openReservations()).isZero();
    }
    return Files.readAllBytes(file);
  }
}
