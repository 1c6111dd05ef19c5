package dev.varve.engine.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.Column;
import dev.varve.engine.batch.ColumnBuilder;
import dev.varve.engine.expr.EvalContext;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Predicates;
import dev.varve.engine.parquet.FileColumn;
import dev.varve.engine.parquet.ParquetFooter;
import dev.varve.engine.type.DataType;
import dev.varve.engine.type.Field;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.NullOrder;
import dev.varve.layout.OrderingFact;
import dev.varve.layout.OrderingField;
import dev.varve.layout.SortDirection;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.Trust;
import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.key.EncodedKey;
import dev.varve.layout.key.KeyEncoding;
import dev.varve.layout.key.KeyType;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Files cut into ranges of their leading key: every row in one range, each range in order. */
class KeyRangesTest {
  private static final EvalContext EVAL =
      new EvalContext(0, ZoneId.of("UTC"), "tester", "lake", "public");

  /** A row's key columns, as bounds have them. */
  private record Row(@Nullable Long k, @Nullable Long t) {}

  private static TableOrdering ordering(SortDirection direction, NullOrder nulls) {
    return new TableOrdering(
        List.of(
            new OrderingField(1, direction, nulls),
            new OrderingField(2, SortDirection.ASC, NullOrder.NULLS_LAST)));
  }

  private static EncodedKey key(TableOrdering ordering, Row row) {
    List<KeyEncoding.Part> parts = new ArrayList<>();
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < ordering.fields().size(); i++) {
      OrderingField field = ordering.fields().get(i);
      parts.add(new KeyEncoding.Part(KeyType.INTEGRAL, field.direction(), field.nullOrder()));
      values.add(i == 0 ? row.k : row.t);
    }
    return KeyEncoding.encode(parts, values);
  }

  private static FileFacts file(String name, TableOrdering ordering, List<Row> rows) {
    List<EncodedKey> keys = rows.stream().map(r -> key(ordering, r)).sorted().toList();
    return new FileFacts(
        name,
        100L * rows.size(),
        rows.size(),
        0,
        0,
        Map.of(),
        List.of(),
        List.of(
            new OrderingFact(
                ordering,
                Trust.VERIFIED,
                Optional.of(new KeyRange(keys.getFirst(), true, keys.getLast(), true)))));
  }

  static ScanTable table() {
    ScanServices services = ScanServices.create(1 << 20, 1 << 20);
    return new ScanTable(
        "t",
        "",
        List.of(
            new ScanColumn(
                Field.of("k", DataType.BIGINT, true), 1, Optional.empty(), Optional.empty()),
            new ScanColumn(
                Field.of("t", DataType.BIGINT, true), 2, Optional.empty(), Optional.empty())),
        new LocalFileIO(),
        services,
        services.footers(),
        new ScanTable.Columns() {
          @Override
          public @Nullable FileColumn find(ParquetFooter footer, ScanColumn column) {
            throw new IllegalStateException("nothing is read here");
          }

          @Override
          public Column missing(FileFacts file, ScanColumn column) {
            throw new IllegalStateException("nothing is read here");
          }
        },
        ScanTable.Deletes.NONE,
        Map.of());
  }

  static KeyRanges ranges(TableOrdering ordering, FileFacts... files) {
    return KeyRanges.of(table(), ordering, List.of(files)).orElseThrow();
  }

  private static List<Row> rows(long from, long to) {
    List<Row> rows = new ArrayList<>();
    for (long k = from; k <= to; k++) {
      rows.add(new Row(k, 1L));
    }
    return rows;
  }

  private static final TableOrdering ASC = ordering(SortDirection.ASC, NullOrder.NULLS_LAST);

  @Test
  void filesThatDoNotReachOverACutStayWhole() {
    Division division =
        ranges(ASC, file("a", ASC, rows(1, 10)), file("b", ASC, rows(11, 20)))
            .balanced(2)
            .orElseThrow();
    assertThat(division.cuts().orElseThrow().values()).containsExactly(11L);
    assertThat(division.groups())
        .allSatisfy(g -> assertThat(g.slices()).allMatch(FileSlice::isWhole));
  }

  @Test
  void aFileThatReachesOverACutIsReadOnBothSidesOfIt() {
    Division division =
        ranges(ASC, file("a", ASC, rows(1, 12)), file("b", ASC, rows(11, 20)))
            .balanced(2)
            .orElseThrow();
    assertThat(division.groups().get(0).slices()).hasSize(1);
    assertThat(division.groups().get(0).slices().getFirst().within()).hasSize(1);
    assertThat(division.groups().get(1).isMerged()).isTrue();
    assertThat(division.isOrderedAcross(ASC)).isTrue();
  }

  @Test
  void oneKeyIsNeverCut() {
    List<Row> same = List.of(new Row(7L, 1L), new Row(7L, 2L));
    assertThat(ranges(ASC, file("a", ASC, same), file("b", ASC, same)).balanced(4)).isEmpty();
  }

  @Test
  void rangesOfVeryDifferentSizeAreRefused() {
    assertThat(
            ranges(ASC, file("small", ASC, rows(1, 2)), file("large", ASC, rows(3, 900)))
                .balanced(8))
        .isEmpty();
  }

  @Test
  void filesWithoutVerifiedOrderOrRangeAreRefused() {
    FileFacts known = file("a", ASC, rows(1, 3));
    FileFacts asserted =
        with(known, new OrderingFact(ASC, Trust.ASSERTED, known.orderings().getFirst().range()));
    FileFacts unranged = with(known, new OrderingFact(ASC, Trust.VERIFIED, Optional.empty()));
    assertThat(KeyRanges.of(table(), ASC, List.of(known, asserted))).isEmpty();
    assertThat(KeyRanges.of(table(), ASC, List.of(known, unranged))).isEmpty();
  }

  private static FileFacts with(FileFacts file, OrderingFact fact) {
    return new FileFacts(file.path(), 100, 3, 0, 0, Map.of(), List.of(), List.of(fact));
  }

  @Test
  void groupsOfWholeFilesAreCutApartOnlyBetweenKeys() {
    FileFacts a = file("a", ASC, rows(1, 10));
    FileFacts b = file("b", ASC, rows(11, 20));
    FileFacts touching = file("c", ASC, List.of(new Row(10L, 5L), new Row(20L, 1L)));
    assertThat(
            ranges(ASC, a, b).between(List.of(FileGroup.of(List.of(a)), FileGroup.of(List.of(b)))))
        .isPresent();
    assertThat(
            ranges(ASC, a, touching)
                .between(List.of(FileGroup.of(List.of(a)), FileGroup.of(List.of(touching)))))
        .isEmpty();
  }

  /** Random files: each row is in one range, ranges share no key, and chains are in order. */
  @Test
  void everyRowIsInOneRangeAndInOrder() {
    long seed = Long.getLong("varve.seed", System.nanoTime());
    System.out.println("key ranges: -Dvarve.seed=" + seed);
    Random random = new Random(seed);
    int cut = 0;
    int merged = 0;
    for (int round = 0; round < 2000; round++) {
      TableOrdering ordering =
          ordering(
              random.nextBoolean() ? SortDirection.ASC : SortDirection.DESC,
              random.nextBoolean() ? NullOrder.NULLS_FIRST : NullOrder.NULLS_LAST);
      Map<FileFacts, List<Row>> files = new HashMap<>();
      int count = 1 + random.nextInt(8);
      for (int i = 0; i < count; i++) {
        int base = random.nextInt(40);
        List<Row> rows = new ArrayList<>();
        for (int r = 0; r < 1 + random.nextInt(12); r++) {
          rows.add(
              new Row(
                  random.nextInt(15) == 0 ? null : (long) base + random.nextInt(9),
                  (long) random.nextInt(3)));
        }
        rows.sort((a, b) -> key(ordering, a).compareTo(key(ordering, b)));
        files.put(file("f" + i, ordering, rows), rows);
      }
      Optional<Division> division =
          KeyRanges.of(table(), ordering, List.copyOf(files.keySet()))
              .orElseThrow()
              .balanced(2 + random.nextInt(5));
      if (division.isPresent()) {
        cut++;
        merged += division.get().groups().stream().anyMatch(FileGroup::isMerged) ? 1 : 0;
        check(division.get(), ordering, files);
      }
    }
    assertThat(cut).isGreaterThan(500);
    assertThat(merged).isGreaterThan(100);
  }

  private static void check(
      Division division, TableOrdering ordering, Map<FileFacts, List<Row>> files) {
    List<String> seen = new ArrayList<>();
    EncodedKey greatest = null;
    for (FileGroup group : division.groups()) {
      EncodedKey greatestHere = greatest;
      for (List<FileSlice> chain : group.chains()) {
        EncodedKey before = null;
        for (FileSlice slice : chain) {
          for (Row row : within(slice, files.get(slice.file()))) {
            EncodedKey key = key(ordering, row);
            EncodedKey leading = key(new TableOrdering(List.of(ordering.fields().getFirst())), row);
            assertThat(before == null || before.compareTo(key) <= 0).isTrue();
            assertThat(greatest == null || greatest.compareTo(leading) < 0).isTrue();
            before = key;
            greatestHere =
                greatestHere == null || greatestHere.compareTo(leading) < 0
                    ? leading
                    : greatestHere;
            seen.add(slice.file().path() + row);
          }
        }
      }
      greatest = greatestHere;
    }
    List<String> all = new ArrayList<>();
    files.forEach((file, rows) -> rows.forEach(row -> all.add(file.path() + row)));
    assertThat(seen).containsExactlyInAnyOrderElementsOf(all);
  }

  /** The rows of a slice, as the scan's filters let them through. */
  private static List<Row> within(FileSlice slice, @Nullable List<Row> rows) {
    List<Row> all = rows == null ? List.of() : rows;
    ColumnBuilder k = ColumnBuilder.of(DataType.BIGINT, all.size());
    ColumnBuilder t = ColumnBuilder.of(DataType.BIGINT, all.size());
    for (Row row : all) {
      k.append(row.k);
      t.append(row.t);
    }
    Batch batch = new Batch(table().schema(), List.of(k.build(), t.build()), all.size());
    List<Row> kept = all;
    for (PhysicalExpr filter : slice.within()) {
      int[] selection = new int[all.size()];
      int selected = Predicates.select(filter, batch, EVAL, selection);
      List<Row> passing = Arrays.stream(selection, 0, selected).mapToObj(all::get).toList();
      kept = kept.stream().filter(passing::contains).toList();
    }
    return kept;
  }
}
