package dev.varve.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import org.junit.jupiter.api.Test;

class MemoryPoolTest {
  private static MemoryReservation register(MemoryPool pool, String name, boolean canSpill) {
    return pool.register(new MemoryConsumer(name, canSpill));
  }

  @Test
  void aGreedyPoolGivesUntilItsLimit() {
    MemoryPool pool = MemoryPools.greedy(100);
    try (MemoryReservation a = register(pool, "a", true);
        MemoryReservation b = register(pool, "b", false)) {
      assertThat(a.tryGrow(80)).isTrue();
      assertThat(b.tryGrow(21)).isFalse();
      assertThat(b.size()).isZero();
      assertThat(b.tryGrow(20)).isTrue();
      a.shrink(50);
      assertThat(pool.reserved()).isEqualTo(50);
      assertThat(pool.peak()).isEqualTo(100);
    }
    assertThat(pool.reserved()).isZero();
  }

  @Test
  void aFairPoolSharesWhatTheOthersLeave() {
    MemoryPool pool = MemoryPools.fairSpill(100);
    try (MemoryReservation fixed = register(pool, "fixed", false);
        MemoryReservation a = register(pool, "a", true);
        MemoryReservation b = register(pool, "b", true)) {
      assertThat(fixed.tryGrow(20)).isTrue();
      assertThat(a.tryGrow(41)).isFalse();
      assertThat(a.tryGrow(40)).isTrue();
      assertThat(b.tryGrow(40)).isTrue();
      assertThat(fixed.tryGrow(1)).isFalse();
    }
    assertThat(pool.reserved()).isZero();
  }

  @Test
  void aLateConsumerAndSiblingsCannotOverCommitAFairPool() {
    MemoryPool pool = MemoryPools.fairSpill(100);
    try (MemoryReservation early = register(pool, "early", true)) {
      assertThat(early.tryGrow(100)).isTrue();
      try (MemoryReservation late = register(pool, "late", true)) {
        assertThat(late.tryGrow(50)).as("the share is there, the pool is full").isFalse();
        early.shrink(60);
        try (MemoryReservation sibling = late.sibling()) {
          assertThat(late.tryGrow(30)).isTrue();
          assertThat(sibling.tryGrow(21)).as("one quota for both").isFalse();
          assertThat(sibling.tryGrow(20)).isTrue();
        }
        assertThat(pool.reserved()).isEqualTo(70);
      }
    }
    assertThat(pool.reserved()).isZero();
  }

  @Test
  void aRefusalNamesConsumerNeedLimitAndTheLargestHolders() {
    MemoryPool pool = MemoryPools.greedy(64L << 20);
    try (MemoryReservation build = register(pool, "HashJoinExec build", false);
        MemoryReservation sort = register(pool, "SortExec", false)) {
      build.grow(50L << 20);
      sort.grow(10L << 20);
      assertThatThrownBy(() -> sort.grow(8L << 20))
          .isInstanceOfSatisfying(
              VarveException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT_EXCEEDED))
          .hasMessage(
              "SortExec needs 8192.0 kB more memory beside the 10.0 MB it has, but 60.0 MB of the"
                  + " limit of 64.0 MB are reserved; largest holders: HashJoinExec build: 50.0 MB,"
                  + " SortExec: 10.0 MB");
      assertThat(sort.size()).isEqualTo(10L << 20);
    }
  }

  @Test
  void aQuerysPoolIsLimitedByItselfAndByTheNode() {
    MemoryPool node = MemoryPools.greedy(100);
    MemoryPool first = MemoryPools.ofQuery("q1", 60, node);
    MemoryPool second = MemoryPools.ofQuery("q2", 0, node);
    try (MemoryReservation a = register(first, "a", false);
        MemoryReservation b = register(second, "b", false)) {
      assertThat(a.tryGrow(61)).isFalse();
      assertThat(a.tryGrow(60)).isTrue();
      assertThat(node.reserved()).isEqualTo(60);
      assertThat(b.tryGrow(41)).isFalse();
      assertThatThrownBy(() -> b.grow(41)).hasMessageContaining("query q1: 60 bytes");
      assertThat(b.tryGrow(40)).isTrue();
      assertThat(node.report()).isEqualTo("query q1: 60 bytes\nquery q2: 40 bytes");
    }
    assertThat(node.reserved()).isZero();
    assertThat(node.report()).isEqualTo("nothing is reserved");
  }

  @Test
  void whoCanSpillFindsAFloorInAQuerysPoolHoweverMuchOthersTookBefore() {
    MemoryPool pool = MemoryPools.ofQuery("q1", 6400, MemoryPools.greedy(10_000));
    try (MemoryReservation early = register(pool, "early", true)) {
      assertThat(early.tryGrow(4501))
          .as("1600 are set aside, 100 of them for itself, and 400 left to who cannot spill")
          .isFalse();
      assertThat(early.tryGrow(4500)).isTrue();
      try (MemoryReservation fixed = register(pool, "fixed", false);
          MemoryReservation late = register(pool, "late", true)) {
        assertThat(fixed.tryGrow(401)).as("the rest is set aside").isFalse();
        assertThat(fixed.tryGrow(400)).as("what was left to it").isTrue();
        assertThat(late.tryGrow(101)).isFalse();
        assertThat(late.tryGrow(100)).isTrue();
        early.shrink(4500);
        assertThat(late.tryGrow(2901)).as("more than its share").isFalse();
        assertThat(late.tryGrow(2900)).isTrue();
        assertThat(fixed.tryGrow(1300)).isTrue();
      }
      assertThat(early.tryGrow(4500)).isTrue();
    }
    assertThat(pool.reserved()).isZero();
  }
}
