package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FileGroupsTest {
  private static final TableOrdering ASC =
      new TableOrdering(List.of(new OrderingField(1, SortDirection.ASC, NullOrder.NULLS_LAST)));
  private static final TableOrdering DESC =
      new TableOrdering(List.of(new OrderingField(1, SortDirection.DESC, NullOrder.NULLS_FIRST)));

  private static EncodedKey key(TableOrdering ordering, @Nullable Long value) {
    OrderingField field = ordering.fields().getFirst();
    return KeyEncoding.encode(
        List.of(new KeyEncoding.Part(KeyType.INTEGRAL, field.direction(), field.nullOrder())),
        Collections.singletonList(value));
  }

  private static FileFacts file(
      String name, TableOrdering ordering, Trust trust, @Nullable Long first, @Nullable Long last) {
    return facts(
        name,
        new OrderingFact(
            ordering,
            trust,
            Optional.of(new KeyRange(key(ordering, first), true, key(ordering, last), true))));
  }

  private static FileFacts facts(String name, OrderingFact... orderings) {
    return new FileFacts(name, 1000, 10, 0, 0, Map.of(), List.of(), List.of(orderings));
  }

  private static FileFacts verified(String name, @Nullable Long first, @Nullable Long last) {
    return file(name, ASC, Trust.VERIFIED, first, last);
  }

  private static List<List<String>> names(FileGroups.Outcome outcome) {
    assertThat(outcome).isInstanceOf(FileGroups.Outcome.Grouped.class);
    return ((FileGroups.Outcome.Grouped) outcome)
        .groups().stream()
            .map(g -> g.slices().stream().map(s -> s.file().path()).toList())
            .toList();
  }

  private static String reason(FileGroups.Outcome outcome) {
    assertThat(outcome).isInstanceOf(FileGroups.Outcome.Refused.class);
    return ((FileGroups.Outcome.Refused) outcome).reason();
  }

  private static FileGroups.Outcome split(
      int groups, FileGroups.Strategy strategy, TableOrdering ordering, FileFacts... files) {
    return FileGroups.ordered(
        List.of(files), ordering, groups, strategy, FileFacts::path, "[k ASC]");
  }

  private static FileGroups.Outcome bestFit(int groups, FileFacts... files) {
    return split(groups, FileGroups.Strategy.BEST_FIT, ASC, files);
  }

  private static FileGroups.Outcome contiguous(int groups, FileFacts... files) {
    return split(groups, FileGroups.Strategy.CONTIGUOUS, ASC, files);
  }

  @Test
  void bestFitPutsOverlappingFilesIntoDifferentGroups() {
    assertThat(
            names(
                bestFit(
                    2,
                    verified("c", 20L, 30L),
                    verified("a", 1L, 10L),
                    verified("b", 5L, 15L),
                    verified("d", 16L, 40L))))
        .containsExactly(List.of("a", "d"), List.of("b", "c"));
  }

  @Test
  void contiguousGroupsFollowOneAnother() {
    assertThat(
            names(
                contiguous(
                    2,
                    verified("c", 20L, 30L),
                    verified("a", 1L, 10L),
                    verified("d", 31L, 40L),
                    verified("b", 11L, 15L))))
        .containsExactly(List.of("a", "b"), List.of("c", "d"));
  }

  @Test
  void equalKeysMayMeetInsideAGroup() {
    assertThat(names(bestFit(1, verified("a", 1L, 10L), verified("b", 10L, 15L))))
        .containsExactly(List.of("a", "b"));
  }

  @Test
  void overlapBeyondTheGroupsIsRefusedWithBothNames() {
    assertThat(reason(bestFit(1, verified("a", 1L, 10L), verified("b", 9L, 15L))))
        .isEqualTo("a and b overlap in [k ASC]: more than 1 group is needed");
    assertThat(reason(contiguous(4, verified("a", 1L, 10L), verified("b", 9L, 15L))))
        .isEqualTo("a and b overlap in [k ASC]");
  }

  @Test
  void anAssertedOrViolatedOrUnknownOrderIsRefusedWithTheFile() {
    FileFacts good = verified("a", 1L, 2L);
    assertThat(reason(bestFit(4, good, file("b", ASC, Trust.ASSERTED, 3L, 4L))))
        .isEqualTo("b: order [k ASC] is asserted, not verified");
    assertThat(reason(bestFit(4, good, file("b", ASC, Trust.VIOLATED, 3L, 4L))))
        .isEqualTo("b: order [k ASC] is violated");
    assertThat(reason(bestFit(4, good, facts("b"))))
        .isEqualTo("b: order [k ASC] is not known of it");
  }

  @Test
  void aFileWithoutKeyRangeIsInOrderOnlyByItself() {
    FileFacts unranged = facts("b", new OrderingFact(ASC, Trust.VERIFIED, Optional.empty()));
    assertThat(names(bestFit(2, verified("a", 1L, 2L), unranged)))
        .containsExactly(List.of("b"), List.of("a"));
    assertThat(names(contiguous(2, unranged))).containsExactly(List.of("b"));
    assertThat(reason(bestFit(1, verified("a", 1L, 2L), unranged)))
        .isEqualTo("b: no key range for [k ASC] is known");
    assertThat(reason(contiguous(9, verified("a", 1L, 2L), unranged)))
        .isEqualTo("b: no key range for [k ASC] is known");
  }

  @Test
  void filesWithNullsComeWhereTheNullsDo() {
    assertThat(names(bestFit(1, verified("nulls", null, null), verified("a", 1L, null))))
        .containsExactly(List.of("a", "nulls"));
    FileFacts nulls = file("nulls", DESC, Trust.VERIFIED, null, null);
    FileFacts values = file("a", DESC, Trust.VERIFIED, 9L, 1L);
    assertThat(names(split(1, FileGroups.Strategy.BEST_FIT, DESC, values, nulls)))
        .containsExactly(List.of("nulls", "a"));
  }

  @Test
  void descendingFilesAreOrderedByTheirGreatestKey() {
    assertThat(
            names(
                split(
                    1,
                    FileGroups.Strategy.CONTIGUOUS,
                    DESC,
                    file("low", DESC, Trust.VERIFIED, 10L, 1L),
                    file("high", DESC, Trust.VERIFIED, 20L, 10L))))
        .containsExactly(List.of("high", "low"));
  }

  @Test
  void aCutInsideAFileIsNoDistinctCut() {
    FileFacts big =
        new FileFacts(
            "big",
            4000,
            10,
            0,
            0,
            Map.of(),
            List.of(new RowGroupFacts(4, 5, Map.of()), new RowGroupFacts(2000, 5, Map.of())),
            verified("x", 1L, 100L).orderings());
    List<FileGroup> groups = ((FileGroups.Outcome.Grouped) contiguous(2, big)).groups();
    assertThat(groups)
        .containsExactly(
            FileGroup.chain(List.of(new FileSlice(big, 0, 2000))),
            FileGroup.chain(List.of(new FileSlice(big, 2000, Long.MAX_VALUE))));
    assertThat(Division.of(groups).isOrderedAcross(ASC)).isTrue();
    assertThat(KeyRangesTest.ranges(ASC, big).between(groups)).isEmpty();
  }

  /** Random files with random claims: what is grouped as ordered is in order, row by row. */
  @Test
  void groupsAreInOrderWhateverTheFiles() {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("file groups: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    int grouped = 0;
    for (int round = 0; round < 3000; round++) {
      TableOrdering ordering = random.nextBoolean() ? ASC : DESC;
      List<FileFacts> files = new ArrayList<>();
      List<List<EncodedKey>> contents = new ArrayList<>();
      int count = 1 + random.nextInt(7);
      for (int i = 0; i < count; i++) {
        List<EncodedKey> keys = new ArrayList<>();
        int base = random.nextInt(30);
        for (int k = 0; k < 1 + random.nextInt(4); k++) {
          keys.add(key(ordering, random.nextInt(12) == 0 ? null : (long) base + random.nextInt(6)));
        }
        boolean sorted = random.nextInt(8) != 0;
        if (sorted) {
          keys.sort(null);
        }
        Trust trust =
            !sorted
                ? (random.nextBoolean() ? Trust.ASSERTED : Trust.VIOLATED)
                : random.nextInt(8) == 0 ? Trust.ASSERTED : Trust.VERIFIED;
        Optional<KeyRange> range =
            random.nextInt(8) == 0
                ? Optional.empty()
                : Optional.of(
                    new KeyRange(Collections.min(keys), true, Collections.max(keys), true));
        files.add(facts("f" + i, new OrderingFact(ordering, trust, range)));
        contents.add(keys);
      }
      for (FileGroups.Strategy strategy : FileGroups.Strategy.values()) {
        int groups = 1 + random.nextInt(4);
        FileGroups.Outcome outcome =
            FileGroups.ordered(files, ordering, groups, strategy, FileFacts::path, "k");
        if (outcome instanceof FileGroups.Outcome.Grouped(List<FileGroup> made)) {
          grouped++;
          check(made, files, contents, groups, strategy);
        }
      }
    }
    assertThat(grouped).isGreaterThan(500);
  }

  private static void check(
      List<FileGroup> made,
      List<FileFacts> files,
      List<List<EncodedKey>> contents,
      int groups,
      FileGroups.Strategy strategy) {
    assertThat(made.size()).isLessThanOrEqualTo(groups);
    List<FileFacts> seen = new ArrayList<>();
    EncodedKey before = null;
    for (FileGroup group : made) {
      if (strategy == FileGroups.Strategy.BEST_FIT) {
        before = null;
      }
      for (FileSlice slice : group.slices()) {
        assertThat(slice.isWhole()).isTrue();
        seen.add(slice.file());
        for (EncodedKey key : contents.get(files.indexOf(slice.file()))) {
          assertThat(before == null || before.compareTo(key) <= 0).isTrue();
          before = key;
        }
      }
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(files);
  }
}
