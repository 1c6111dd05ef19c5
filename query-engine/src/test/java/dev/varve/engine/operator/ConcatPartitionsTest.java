package dev.varve.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Settings;
import dev.varve.engine.memory.MemoryPools;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Partitions one after the other: their rows, in sequence, with little or no memory ahead. */
class ConcatPartitionsTest {
  private static final Schema SCHEMA = new RandomData(0).schema(DataType.BIGINT, DataType.VARCHAR);

  private static PhysicalPlan concat(TestSource source, OptionalLong fetch) {
    return new ConcatPartitionsExec(source, fetch);
  }

  private static List<String> rows(List<List<Batch>> partitions) {
    List<String> rows = new ArrayList<>();
    for (List<@Nullable Object> row : RandomData.rows(partitions)) {
      rows.add(Harness.text(row));
    }
    return rows;
  }

  @Test
  void rowsComeInTheSequenceOfThePartitions() {
    for (long seed = 0; seed < 60; seed++) {
      RandomData data = new RandomData(seed);
      List<List<Batch>> partitions = data.partitions(SCHEMA, 1 + data.random().nextInt(9), 40, 20);
      List<String> all = rows(partitions);
      for (Settings settings : Harness.CONFIGURATIONS.values()) {
        for (int target : List.of(1, 3)) {
          Settings wide = settings.with(EngineSettings.TARGET_PARTITIONS, target);
          TestSource source = new TestSource(SCHEMA, partitions);
          assertThat(Harness.rows(concat(source, OptionalLong.empty()), wide)).isEqualTo(all);
          // Nothing can be reserved: each partition waits for its turn.
          assertThat(
                  Harness.rows(
                      concat(source, OptionalLong.empty()), wide, MemoryPools.fairSpill(0)))
              .isEqualTo(all);
          long fetch = data.random().nextInt(all.size() + 2);
          assertThat(Harness.rows(concat(source, OptionalLong.of(fetch)), wide))
              .isEqualTo(all.subList(0, (int) Math.min(fetch, all.size())));
        }
      }
    }
  }

  @Test
  void aFetchThatTheFirstPartitionFillsOpensNoOther() {
    RandomData data = new RandomData(1);
    List<List<Batch>> partitions = new ArrayList<>();
    for (int p = 0; p < 5; p++) {
      partitions.add(List.of(data.batch(SCHEMA, 20, 5)));
    }
    TestSource source = new TestSource(SCHEMA, partitions);
    Settings settings = Harness.CHECKED.with(EngineSettings.TARGET_PARTITIONS, 4);
    assertThat(Harness.rows(concat(source, OptionalLong.of(10)), settings)).hasSize(10);
    assertThat(source.opened).hasValue(1);
    assertThat(source.closed).hasValue(1);
  }

  @Test
  void endlessPartitionsStopWithTheirConsumer() {
    RandomData data = new RandomData(2);
    TestSource source =
        new TestSource(SCHEMA, List.of(List.of(data.batch(SCHEMA, 20, 5)), List.of())).endless();
    assertThat(Harness.rows(concat(source, OptionalLong.of(1000)), Harness.CHECKED)).hasSize(1000);
    assertThat(source.closed.get()).isEqualTo(source.opened.get());
  }

  @Test
  void aFailureOfAPartitionReadAheadEndsTheQuery() {
    RandomData data = new RandomData(3);
    List<List<Batch>> partitions = new ArrayList<>();
    for (int p = 0; p < 4; p++) {
      partitions.add(List.of(data.batch(SCHEMA, 20, 5), data.batch(SCHEMA, 20, 5)));
    }
    TestSource source = new TestSource(SCHEMA, partitions).failingIn(2, 1);
    assertThatThrownBy(
            () ->
                Harness.rows(
                    concat(source, OptionalLong.empty()),
                    Harness.CHECKED.with(EngineSettings.TARGET_PARTITIONS, 4)))
        .hasMessageContaining("failed on purpose");
    assertThat(source.closed.get()).isEqualTo(source.opened.get());
  }
}
