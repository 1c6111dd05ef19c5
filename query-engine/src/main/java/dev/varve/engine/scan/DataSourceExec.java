package dev.varve.engine.scan;

import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.NamedExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.expr.Volatility;
import dev.varve.engine.plan.DynamicFilter;
import dev.varve.engine.plan.FilterPushdown;
import dev.varve.engine.plan.FilterPushdown.Outcome;
import dev.varve.engine.plan.PhysicalPlan;
import dev.varve.engine.plan.SortPushdown;
import dev.varve.engine.properties.EquivalenceProperties;
import dev.varve.engine.properties.LexOrdering;
import dev.varve.engine.properties.Partitioning;
import dev.varve.engine.properties.PlanProperties;
import dev.varve.engine.properties.Statistics;
import dev.varve.engine.runtime.MetricSet;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.type.Field;
import dev.varve.engine.type.Schema;
import dev.varve.layout.FileFacts;
import dev.varve.layout.KeyRange;
import dev.varve.layout.TableOrdering;
import dev.varve.layout.key.KeyEncoding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The leaf that reads files: one partition is one {@link FileGroup}. Filters that it takes are
 * evaluated while decoding, and skip files when it takes them. It declares the orders that verified
 * facts prove for the groups as they are, and regroups its files on request.
 */
public final class DataSourceExec implements PhysicalPlan {
  private final ScanSpec spec;
  private final Schema schema;
  private final List<FileFacts> files;
  private final long totalFiles;
  private final List<FileGroup> groups;
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
      List<FileGroup> groups,
      OptionalLong fetch,
      List<String> reasons) {
    this.spec = spec;
    this.schema = schema;
    this.files = List.copyOf(files);
    this.totalFiles = totalFiles;
    this.groups = List.copyOf(groups);
    this.fetch = fetch;
    this.reasons = List.copyOf(reasons);
    this.claimed =
        spec.settings().optimizes(EngineSettings.ELIMINATE_SORTS)
            ? OrderClaims.orderings(files, true).stream()
                .filter(o -> FileGroups.isOrdered(this.groups, o))
                .toList()
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
        divide(spec, withRows),
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
        groups,
        OptionalLong.empty(),
        List.of());
  }

  /** In the first ordering that all files have without overlapping, or else as they come. */
  private static List<FileGroup> divide(ScanSpec spec, List<FileFacts> files) {
    int target = spec.settings().targetPartitions();
    if (groupsByRanges(spec)) {
      for (TableOrdering ordering : OrderClaims.orderings(files, true)) {
        FileGroups.Outcome outcome =
            FileGroups.ordered(
                files, ordering, target, FileGroups.Strategy.CONTIGUOUS, FileFacts::path, "");
        if (outcome instanceof FileGroups.Outcome.Grouped(List<FileGroup> groups)) {
          return groups;
        }
      }
    }
    return FileGroups.cut(files, target);
  }

  private static boolean groupsByRanges(ScanSpec spec) {
    return spec.settings().optimizes(EngineSettings.ELIMINATE_SORTS)
        && spec.settings().optimizes(EngineSettings.SPLIT_FILE_GROUPS);
  }

  private EquivalenceProperties equivalences() {
    EquivalenceProperties known = EquivalenceProperties.of(schema);
    for (TableOrdering ordering : claimed) {
      LexOrdering output =
          OrderClaims.overOutput(ordering, spec.table(), spec.output(), schema).orElse(null);
      if (output != null) {
        known = known.withOrdering(output);
      }
    }
    return withFilters(known);
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

  /** Ranges where every group ends below the next and the keys at the cuts are known. */
  private Partitioning partitioning() {
    if (groups.size() > 1) {
      for (TableOrdering ordering : claimed) {
        Optional<LexOrdering> output =
            OrderClaims.overOutput(ordering, spec.table(), spec.output(), schema);
        List<KeyRange> cuts = FileGroups.distinctCuts(groups, ordering).orElse(null);
        if (cuts != null
            && output.isPresent()
            && output.get().keys().size() == ordering.fields().size()) {
          return new Partitioning.Range(
              output.get(), cuts.stream().map(cut -> splitPoint(ordering, cut)).toList(), true);
        }
      }
    }
    return new Partitioning.Unknown(groups.size());
  }

  private List<@Nullable Object> splitPoint(TableOrdering ordering, KeyRange range) {
    List<KeyEncoding.Part> parts = new ArrayList<>();
    List<ScanColumn> columns = new ArrayList<>();
    for (var field : ordering.fields()) {
      ScanColumn column =
          spec.table().columns().get(spec.table().position(field.fieldId()).orElseThrow());
      columns.add(column);
      parts.add(
          new KeyEncoding.Part(
              ColumnKeys.type(column.type()).orElseThrow(), field.direction(), field.nullOrder()));
    }
    List<@Nullable Object> decoded = KeyEncoding.decode(parts, range.lower());
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < decoded.size(); i++) {
      Object value = decoded.get(i);
      values.add(value == null ? null : ColumnKeys.value(columns.get(i).type(), value));
    }
    return values;
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
      known = ScanStatistics.of(spec, files, groups.size(), fetch);
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
            spec, schema, files, totalFiles, groups, OptionalLong.of(limit), reasons));
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
            groups,
            fetch,
            reasons));
  }

  /**
   * Takes filters whose value is the same wherever they are evaluated. One that can fail is taken
   * only if all before it were, so that rows they reject do not reach it.
   */
  @Override
  public FilterPushdown.Result handleChildPushdownResult(
      List<PhysicalExpr> parentFilters, List<FilterPushdown.ChildOutcome> outcomes) {
    boolean late = spec.settings().optimizes(EngineSettings.LATE_MATERIALIZATION);
    List<PhysicalExpr> exact = new ArrayList<>(spec.exactFilters());
    List<PhysicalExpr> pruning = new ArrayList<>(spec.pruningFilters());
    List<DynamicFilter> dynamic = new ArrayList<>(spec.dynamicFilters());
    List<Outcome> answers = new ArrayList<>();
    boolean allTaken = true;
    int[] toTable = spec.output().stream().mapToInt(Integer::intValue).toArray();
    for (PhysicalExpr filter : parentFilters) {
      Outcome answer = Outcome.UNSUPPORTED;
      // Under a fetch, a filter would change which rows are fetched.
      if (fetch.isEmpty() && filter.volatility() != Volatility.VOLATILE) {
        PhysicalExpr own = Exprs.remap(filter, toTable);
        if (own instanceof DynamicFilter found) {
          // It keeps out nothing that its maker needs, so it does not stand before the others.
          if (!found.fallible()) {
            dynamic.add(found);
            answer = Outcome.INEXACT;
          }
          answers.add(answer);
          continue;
        }
        if (late && (allTaken || !filter.fallible())) {
          exact.add(own);
          answer = Outcome.EXACT;
        } else if (spec.prunes() && PruningPredicate.isUseful(own)) {
          pruning.add(own);
          answer = Outcome.INEXACT;
        }
      }
      allTaken &= answer == Outcome.EXACT;
      answers.add(answer);
    }
    if (exact.size() == spec.exactFilters().size()
        && pruning.size() == spec.pruningFilters().size()
        && dynamic.size() == spec.dynamicFilters().size()) {
      return new FilterPushdown.Result(this, answers);
    }
    return new FilterPushdown.Result(filtered(spec.withFilters(exact, pruning, dynamic)), answers);
  }

  private DataSourceExec filtered(ScanSpec changed) {
    List<FileFacts> surviving = files;
    if (changed.prunes()) {
      PruningPredicate predicate = changed.pruning();
      surviving =
          files.stream()
              .filter(f -> predicate.mayMatch(new FileContainer(changed.table(), f)))
              .toList();
    }
    List<FileGroup> regrouped =
        surviving.size() == files.size() ? groups : regroup(changed, surviving);
    return new DataSourceExec(changed, schema, surviving, totalFiles, regrouped, fetch, reasons);
  }

  /**
   * Divides what is left anew if that keeps what the node has promised: something above may rely on
   * it by now. Otherwise the groups stay, without the files that fell away.
   */
  private List<FileGroup> regroup(ScanSpec changed, List<FileFacts> surviving) {
    List<FileGroup> anew = divide(changed, surviving);
    boolean keepsPromises =
        anew.size() <= groups.size()
            && properties.partitioning() instanceof Partitioning.Unknown
            && claimed.stream().allMatch(o -> FileGroups.isOrdered(anew, o));
    return keepsPromises ? anew : FileGroups.without(groups, surviving);
  }

  @Override
  public SortPushdown tryPushdownSort(LexOrdering ordering) {
    if (!spec.settings().optimizes(EngineSettings.ELIMINATE_SORTS)) {
      return SortPushdown.UNSUPPORTED;
    }
    if (properties.equivalences().satisfies(ordering)) {
      List<String> why = List.of(proof(ordering));
      return new SortPushdown.Exact(withReasons(groups, why), why);
    }
    if (fetch.isPresent()) {
      return SortPushdown.UNSUPPORTED;
    }
    List<String> refusals = new ArrayList<>();
    for (TableOrdering candidate : OrderClaims.orderings(files, false)) {
      if (!wouldSatisfy(candidate, ordering)) {
        continue;
      }
      String described = OrderClaims.describe(candidate, spec.table());
      if (!groupsByRanges(spec)) {
        refusals.add("order " + described + ": grouping files by their key ranges is switched off");
        continue;
      }
      for (FileGroups.Strategy strategy :
          List.of(FileGroups.Strategy.CONTIGUOUS, FileGroups.Strategy.BEST_FIT)) {
        switch (group(candidate, strategy, described)) {
          case FileGroups.Outcome.Grouped(List<FileGroup> regrouped) -> {
            List<String> why = List.of(verified(described));
            return new SortPushdown.Exact(withReasons(regrouped, why), why);
          }
          case FileGroups.Outcome.Refused(String reason) -> {
            if (strategy == FileGroups.Strategy.BEST_FIT && !refusals.contains(reason)) {
              refusals.add(reason);
            }
          }
        }
      }
    }
    return new SortPushdown.Unsupported(refusals);
  }

  private FileGroups.Outcome group(
      TableOrdering ordering, FileGroups.Strategy strategy, String described) {
    return FileGroups.ordered(
        files,
        ordering,
        spec.settings().targetPartitions(),
        strategy,
        spec.table()::show,
        described);
  }

  /** Whether partitions in the table's ordering would be in the wanted one. */
  private boolean wouldSatisfy(TableOrdering candidate, LexOrdering wanted) {
    return OrderClaims.overOutput(candidate, spec.table(), spec.output(), schema)
        .map(o -> withFilters(EquivalenceProperties.of(schema).withOrdering(o)).satisfies(wanted))
        .orElse(false);
  }

  private String proof(LexOrdering ordering) {
    for (TableOrdering candidate : claimed) {
      if (wouldSatisfy(candidate, ordering)) {
        return verified(OrderClaims.describe(candidate, spec.table()));
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

  private DataSourceExec withReasons(List<FileGroup> regrouped, List<String> why) {
    return new DataSourceExec(spec, schema, files, totalFiles, regrouped, fetch, why);
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
    text.append(", groups=").append(groups.size());
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
    return groups;
  }

  @Override
  public BatchStream execute(int partition, TaskContext context) {
    ScanStream stream =
        new ScanStream(spec, schema, groups.get(partition), fetch, metrics, context);
    return context.query().settings().get(EngineSettings.CHECK_ORDER)
        ? CheckedOrderStream.of(stream, properties.equivalences().orderings())
        : stream;
  }
}
