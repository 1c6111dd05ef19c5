package dev.varve.engine.scan;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.operator.MergedStreams;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SequencedSource;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.SortExpr;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.TableOrdering;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The leaf that reads files: one partition is one {@link FileGroup}. Filters that it takes are
 * evaluated while decoding, and skip files when it takes them. It declares the orders that verified
 * facts prove for the groups as they are, and regroups its files on request.
 */
public final class DataSourceExec implements PhysicalPlan, SequencedSource {
  private static final int MOST_STRETCHES = 4096;

  private final ScanSpec spec;
  private final Schema schema;
  private final List<FileFacts> files;
  private final long totalFiles;
  private final Division division;
  private final OptionalLong fetch;
  private final List<String> reasons;
  private final List<TableOrdering> claimed;
  private final PlanProperties properties;

  /** Computed when first asked for. */
  private @Nullable Statistics statistics;

  private final MetricSet metrics = new MetricSet();

  private DataSourceExec(
      ScanSpec spec,
      Schema schema,
      List<FileFacts> files,
      long totalFiles,
      Division division,
      OptionalLong fetch,
      List<String> reasons) {
    this.spec = spec;
    this.schema = schema;
    this.files = List.copyOf(files);
    this.totalFiles = totalFiles;
    this.division = division;
    this.fetch = fetch;
    this.reasons = List.copyOf(reasons);
    this.claimed =
        spec.settings().optimizes(EngineSettings.ELIMINATE_SORTS)
            ? OrderClaims.orderings(files, true).stream().filter(division::isOrdered).toList()
            : List.of();
    this.properties = PlanProperties.of(partitioning(), equivalences());
    metrics.add("files_total", totalFiles);
    metrics.add("files_pruned", totalFiles - files.size());
  }

  /** A scan of all rows of some files, divided over the target partitions. */
  static DataSourceExec of(ScanSpec spec, List<FileFacts> files) {
    List<FileFacts> withRows = files.stream().filter(f -> f.recordCount() != 0).toList();
    return new DataSourceExec(
        spec,
        spec.table().schema(spec.output()),
        withRows,
        files.size(),
        Arrangement.divide(spec, withRows),
        OptionalLong.empty(),
        List.of());
  }

  /** A scan of those files of a snapshot that the scan's filters leave. */
  static DataSourceExec chosen(ScanSpec spec, SnapshotFiles files) {
    List<FileFacts> chosen;
    if (spec.prunes() && spec.hasFilters()) {
      chosen =
          pruned(
              spec,
              files.within(FilterRanges.of(spec.pruning().condition(), spec.table().columns())));
    } else {
      chosen = files.facts();
    }
    List<FileFacts> withRows = chosen.stream().filter(f -> f.recordCount() != 0).toList();
    return new DataSourceExec(
        spec,
        spec.table().schema(spec.output()),
        withRows,
        files.count(),
        Arrangement.divide(spec, withRows),
        OptionalLong.empty(),
        List.of());
  }

  /** A scan whose groups are given. */
  static DataSourceExec of(ScanSpec spec, List<FileFacts> files, List<FileGroup> groups) {
    return new DataSourceExec(
        spec,
        spec.table().schema(spec.output()),
        files,
        files.size(),
        Division.of(groups),
        OptionalLong.empty(),
        List.of());
  }

  private EquivalenceProperties equivalences() {
    EquivalenceProperties known = EquivalenceProperties.of(schema);
    for (TableOrdering ordering : claimed) {
      LexOrdering output = overOutput(ordering).orElse(null);
      if (output != null) {
        known =
            division.isOrderedAcross(ordering)
                ? known.withOrderingAcross(output)
                : known.withOrdering(output);
      }
    }
    return withFilters(known);
  }

  /** As this scan reads it: the reverse, where it reads backwards. */
  private Optional<LexOrdering> overOutput(TableOrdering ordering) {
    return overOutput(ordering, division.reversed());
  }

  private Optional<LexOrdering> overOutput(TableOrdering ordering, boolean reversed) {
    Optional<LexOrdering> forwards =
        OrderClaims.overOutput(ordering, spec.table(), spec.output(), schema);
    return reversed ? forwards.map(OrderClaims::reversed) : forwards;
  }

  /** What the filters say of output columns. */
  private EquivalenceProperties withFilters(EquivalenceProperties known) {
    EquivalenceProperties filtered = known;
    for (PhysicalExpr filter : spec.exactFilters()) {
      PhysicalExpr output = overOutput(filter);
      if (output != null) {
        filtered = filtered.withFilter(output);
      }
    }
    return filtered;
  }

  private @Nullable PhysicalExpr overOutput(PhysicalExpr filter) {
    int[] mapping = new int[spec.table().columns().size()];
    Arrays.fill(mapping, -1);
    for (int i = spec.output().size() - 1; i >= 0; i--) {
      mapping[spec.output().get(i)] = i;
    }
    BitSet used = Exprs.columns(filter);
    for (int i = used.nextSetBit(0); i >= 0; i = used.nextSetBit(i + 1)) {
      if (mapping[i] < 0) {
        return null;
      }
    }
    return Exprs.remap(filter, mapping);
  }

  /** Ranges of a key that the output has, where values cut the groups apart. */
  private Partitioning partitioning() {
    // Backwards a value at a cut would belong to the range before it.
    if (division.count() > 1 && division.cuts().isPresent() && !division.reversed()) {
      Optional<LexOrdering> key =
          overOutput(new TableOrdering(List.of(division.cuts().get().key())));
      if (key.isPresent()) {
        return new Partitioning.Range(key.get(), division.splitPoints(), true);
      }
    }
    return new Partitioning.Unknown(division.count());
  }

  @Override
  public String name() {
    return "DataSourceExec";
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public List<PhysicalPlan> children() {
    return List.of();
  }

  @Override
  public PhysicalPlan withChildren(List<PhysicalPlan> children) {
    return this;
  }

  @Override
  public PlanProperties properties() {
    return properties;
  }

  @Override
  public Statistics statistics() {
    Statistics known = statistics;
    if (known == null) {
      known = ScanStatistics.of(spec, files, division.count(), fetch);
      statistics = known;
    }
    return known;
  }

  @Override
  public OptionalLong fetch() {
    return fetch;
  }

  @Override
  public Optional<PhysicalPlan> withFetch(long limit) {
    if (fetch.isPresent() && fetch.getAsLong() <= limit) {
      return Optional.of(this);
    }
    return Optional.of(
        new DataSourceExec(
            spec, schema, files, totalFiles, division, OptionalLong.of(limit), reasons));
  }

  @Override
  public Optional<PhysicalPlan> trySwapWithProjection(List<NamedExpr> projection) {
    List<Integer> output = new ArrayList<>();
    List<Field> fields = new ArrayList<>();
    for (NamedExpr expression : projection) {
      if (!(expression.expr() instanceof ColumnExpr column)) {
        return Optional.empty();
      }
      Field field = schema.field(column.index());
      output.add(spec.output().get(column.index()));
      fields.add(new Field(expression.name(), field.type(), field.nullable(), field.fieldId()));
    }
    return Optional.of(
        new DataSourceExec(
            spec.withOutput(output),
            new Schema(fields),
            files,
            totalFiles,
            division,
            fetch,
            reasons));
  }

  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    TakenFilters taken = TakenFilters.of(spec, parentFilters, fetch.isPresent());
    return new FilterPushdown.Result(
        taken.spec() == spec ? this : filtered(taken.spec()), taken.outcomes());
  }

  private DataSourceExec filtered(ScanSpec changed) {
    List<FileFacts> surviving = changed.prunes() ? pruned(changed, files) : files;
    Division regrouped = surviving.size() == files.size() ? division : regroup(changed, surviving);
    return new DataSourceExec(changed, schema, surviving, totalFiles, regrouped, fetch, reasons);
  }

  private static List<FileFacts> pruned(ScanSpec spec, List<FileFacts> files) {
    PruningPredicate predicate = spec.pruning();
    return files.stream()
        .filter(f -> predicate.mayMatch(new FileContainer(spec.table(), f)))
        .toList();
  }

  /**
   * Divides what is left anew if that keeps what the node has promised: something above may rely on
   * it by now. Otherwise the groups stay, without the files that fell away.
   */
  private Division regroup(ScanSpec changed, List<FileFacts> surviving) {
    Division anew = Arrangement.divide(changed, surviving);
    boolean keepsPromises =
        !division.reversed()
            && anew.count() <= division.count()
            && properties.partitioning() instanceof Partitioning.Unknown
            && claimed.stream()
                .allMatch(
                    o ->
                        anew.isOrdered(o)
                            && (anew.isOrderedAcross(o) || !division.isOrderedAcross(o)));
    return keepsPromises ? anew : division.without(surviving);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    if (!spec.settings().optimizes(EngineSettings.ELIMINATE_SORTS)) {
      return SortPushdown.UNSUPPORTED;
    }
    if (properties.equivalences().satisfies(ordering)) {
      List<String> why = List.of(proof(ordering));
      return new SortPushdown.Exact(withDivision(division, why), why);
    }
    if (fetch.isPresent()) {
      return SortPushdown.UNSUPPORTED;
    }
    List<String> refusals = new ArrayList<>();
    for (boolean reversed : List.of(false, true)) {
      for (TableOrdering candidate : OrderClaims.orderings(files, false)) {
        if (!wouldSatisfy(candidate, reversed, ordering)) {
          continue;
        }
        String described = OrderClaims.describe(candidate, spec.table());
        if (!Arrangement.usesRanges(spec)) {
          refusals.add(
              "order " + described + ": grouping files by their key ranges is switched off");
          continue;
        }
        switch (Arrangement.of(spec, files, candidate, described)) {
          case Arrangement.Done(Division arranged) -> {
            List<String> why = List.of(verified(described) + (reversed ? ", read backwards" : ""));
            return new SortPushdown.Exact(
                withDivision(reversed ? arranged.backwards() : arranged, why), why);
          }
          case Arrangement.Refused(String reason) -> {
            if (!refusals.contains(reason)) {
              refusals.add(reason);
            }
          }
        }
      }
    }
    return new SortPushdown.Unsupported(refusals);
  }

  @Override
  public Optional<PhysicalPlan> tryPushdownRanges(
      LexOrdering ordering, Optional<Partitioning.Range> like) {
    if (fetch.isPresent() || !Arrangement.usesRanges(spec)) {
      return Optional.empty();
    }
    for (TableOrdering candidate : OrderClaims.orderings(files, true)) {
      if (!wouldSatisfy(candidate, false, ordering)
          || !leads(candidate, ordering.keys().getFirst())) {
        continue;
      }
      Optional<Division> divided =
          KeyRanges.of(spec.table(), candidate, files)
              .flatMap(
                  ranges ->
                      like.isPresent()
                          ? ranges.cutAt(values(like.get()))
                          : ranges.balanced(spec.settings().targetPartitions()));
      if (divided.isPresent()) {
        return Optional.of(
            withDivision(
                divided.get(), List.of(verified(OrderClaims.describe(candidate, spec.table())))));
      }
    }
    return Optional.empty();
  }

  private boolean leads(TableOrdering candidate, SortExpr key) {
    return overOutput(candidate, false).filter(o -> o.keys().getFirst().equals(key)).isPresent();
  }

  private static List<Object> values(Partitioning.Range like) {
    return like.splitPoints().stream()
        .map(point -> Objects.requireNonNull(point.getFirst()))
        .toList();
  }

  @Override
  public Optional<PhysicalPlan> inStretches(long rows) {
    long total = files.stream().mapToLong(FileFacts::recordCount).sum();
    int wanted = (int) Math.min(MOST_STRETCHES, (total + rows - 1) / rows);
    TableOrdering ordering = division.by().orElse(null);
    if (ordering == null || wanted <= division.count() || !division.isOrderedAcross(ordering)) {
      return Optional.empty();
    }
    boolean byValue =
        division.groups().stream()
            .anyMatch(g -> g.isMerged() || g.slices().stream().anyMatch(FileSlice::isPartOfRange));
    Optional<Division> shorter =
        byValue
            ? KeyRanges.of(spec.table(), ordering, files).flatMap(r -> r.balanced(wanted))
            : Arrangement.contiguous(spec, files, ordering, wanted);
    return shorter
        .filter(d -> d.count() > division.count())
        .map(d -> withDivision(division.reversed() ? d.backwards() : d, reasons));
  }

  @Override
  public boolean isReversed() {
    return division.reversed();
  }

  /** Whether partitions in the table's ordering, or its reverse, would be in the wanted one. */
  private boolean wouldSatisfy(TableOrdering candidate, boolean reversed, LexOrdering wanted) {
    return overOutput(candidate, reversed)
        .map(o -> withFilters(EquivalenceProperties.of(schema).withOrdering(o)).satisfies(wanted))
        .orElse(false);
  }

  private String proof(LexOrdering ordering) {
    for (TableOrdering candidate : claimed) {
      if (wouldSatisfy(candidate, division.reversed(), ordering)) {
        return verified(OrderClaims.describe(candidate, spec.table()))
            + (division.reversed() ? ", read backwards" : "");
      }
    }
    return "order " + ordering + " follows from filters";
  }

  private String verified(String described) {
    return "order "
        + described
        + " verified for "
        + files.size()
        + (files.size() == 1 ? " file" : " files");
  }

  private DataSourceExec withDivision(Division changed, List<String> why) {
    return new DataSourceExec(spec, schema, files, totalFiles, changed, fetch, why);
  }

  @Override
  public List<String> reasons() {
    return reasons;
  }

  @Override
  public String details() {
    StringBuilder text = new StringBuilder(spec.table().name());
    text.append(", columns=")
        .append(schema.fields().stream().map(Field::name).toList())
        .append(", files=")
        .append(files.size());
    if (files.size() < totalFiles) {
      text.append('/').append(totalFiles);
    }
    DeletesInPlan.describe(spec.table(), files).ifPresent(d -> text.append(", deletes=").append(d));
    text.append(", groups=").append(division.count());
    if (!spec.exactFilters().isEmpty()) {
      text.append(", filters=").append(spec.exactFilters());
    }
    if (!spec.pruningFilters().isEmpty()) {
      text.append(", pruning=").append(spec.pruningFilters());
    }
    if (!spec.dynamicFilters().isEmpty()) {
      text.append(", dynamic=").append(spec.dynamicFilters());
    }
    if (!claimed.isEmpty()) {
      text.append(", order=").append(OrderClaims.describe(claimed.getFirst(), spec.table()));
    }
    if (division.reversed()) {
      text.append(", reversed");
    }
    if (division.groups().stream().anyMatch(FileGroup::isMerged)) {
      text.append(", merges_overlaps");
    }
    fetch.ifPresent(limit -> text.append(", fetch=").append(limit));
    return text.toString();
  }

  @Override
  public MetricSet metrics() {
    return metrics;
  }

  @Override
  public String toString() {
    return name() + ": " + details();
  }

  List<FileGroup> groups() {
    return division.groups();
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    FileGroup group = division.partition(partition);
    BatchStream stream =
        group.isMerged() ? merged(group, context) : chain(group.chains(), 0, context);
    return context.query().settings().get(EngineSettings.CHECK_ORDER)
        ? CheckedOrderStream.of(stream, properties.equivalences().orderings())
        : stream;
  }

  private BatchStream chain(List<List<FileSlice>> chains, int index, TaskContext context) {
    return stream(chains.get(index), context);
  }

  private ScanStream stream(List<FileSlice> slices, TaskContext context) {
    ScanDeletes deletes = ScanDeletes.of(this, spec.table(), files, context.query());
    return new ScanStream(
        spec, schema, slices, division.reversed(), fetch, deletes, metrics, context);
  }

  /** Chains in no order that the output still shows are read one after the other. */
  private BatchStream merged(FileGroup group, TaskContext context) {
    Optional<LexOrdering> order = overOutput(division.by().orElseThrow());
    if (order.isEmpty()) {
      return stream(group.slices(), context);
    }
    List<BatchStream> chains = new ArrayList<>();
    for (int i = 0; i < group.chains().size(); i++) {
      chains.add(chain(group.chains(), i, context));
    }
    return new MergedStreams(schema, chains, order.get(), fetch, context);
  }
}
