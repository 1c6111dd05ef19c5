package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.batch.BatchStream;
import dev.varve.engine.batch.Column;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.Exprs;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.spill.SpillFile;
import dev.varve.engine.type.Schema;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Joins sides that are on disk, part by part: a table of the part's build rows, probed with its
 * probe rows. A part whose build rows do not fit is divided again by another hash; one that cannot
 * be divided, because most of its rows have one key or there is no key, is joined in passes: a
 * table of as many build rows as fit, all probe rows, then the next table. Probe rows that matched
 * in any pass are flagged, one bit each, so that those without a match can come out after the last.
 * In each pass rows come out in the order of the probe rows. Confined to one task.
 */
final class SpilledJoin implements AutoCloseable {
  private static final int MAX_LEVEL = 6;

  /** A part is not divided again if one of the results had more than so many percent of it. */
  private static final int SKEWED_PERCENT = 90;

  private final JoinSpec spec;
  private final JoinOutput output;
  private final OperatorMemory memory;
  private final OperatorSpill spill;
  private final TaskContext context;
  private final JoinTableBuilder builder;
  private final Schema buildSchema;
  private final Schema probeSchema;
  private final List<PhysicalExpr> buildKeys;
  private final Deque<Part> parts = new ArrayDeque<>();
  private @Nullable Current current;
  private int passes;

  /**
   * Build and probe rows with equal keys.
   *
   * @param level how often they were divided
   * @param divisible whether dividing them again may help
   * @param own whether the files are deleted with the part
   */
  record Part(
      List<SpillFile> build, List<SpillFile> probe, int level, boolean divisible, boolean own) {
    private static long rows(List<SpillFile> files) {
      return files.stream().mapToLong(SpillFile::rows).sum();
    }

    private static long readerBytes(List<SpillFile> files) {
      return files.stream()
          .mapToLong(file -> file.largestBatchBytes() + file.bufferBytes())
          .max()
          .orElse(0);
    }
  }

  /**
   * @param probeSchema of the probe rows on disk: the right columns, perhaps followed by others
   */
  SpilledJoin(
      JoinSpec spec,
      JoinOutput output,
      Schema probeSchema,
      OperatorMemory memory,
      OperatorSpill spill,
      TaskContext context) {
    this.spec = spec;
    this.output = output;
    this.memory = memory;
    this.spill = spill;
    this.context = context;
    this.builder =
        new JoinTableBuilder(spec, memory, new TaskGroup(context.query()), false, context);
    this.buildSchema = buildSchema(spec, builder.read());
    this.buildKeys = buildKeys(spec, builder.read());
    this.probeSchema = probeSchema;
  }

  /** The columns of a build side that are written. */
  static Schema buildSchema(JoinSpec spec, int[] read) {
    return spec.left().schema().select(read);
  }

  /** The build side's keys over those columns. */
  static List<PhysicalExpr> buildKeys(JoinSpec spec, int[] read) {
    int[] mapping = new int[spec.left().schema().size()];
    Arrays.fill(mapping, -1);
    for (int i = 0; i < read.length; i++) {
      mapping[read[i]] = i;
    }
    return spec.buildKeys().stream().map(key -> Exprs.remap(key, mapping)).toList();
  }

  void add(Part part) {
    parts.add(part);
  }

  /** The pass that the last batch came from, counted from 1. */
  int pass() {
    return passes;
  }

  /** The next rows; null at the end. */
  @Nullable Batch next() {
    while (true) {
      context.query().cancellation().check();
      Current work = current;
      if (work == null) {
        Part part = parts.poll();
        if (part == null) {
          return null;
        }
        if (givesRows(part)) {
          current = new Current(part);
        } else {
          delete(part);
        }
        continue;
      }
      Batch batch = work.next();
      if (batch != null) {
        return batch;
      }
      work.close();
      current = null;
    }
  }

  private boolean givesRows(Part part) {
    boolean build = Part.rows(part.build()) > 0;
    boolean probe = Part.rows(part.probe()) > 0;
    return (build && probe)
        || (build && spec.type().emitsLeftAtEnd() && spec.type() != JoinType.LEFT_SEMI)
        || (probe && spec.type().keepsUnmatchedRight());
  }

  private void delete(Part part) {
    if (part.own()) {
      part.build().forEach(spill::delete);
      part.probe().forEach(spill::delete);
    }
  }

  @Override
  public void close() {
    Current work = current;
    current = null;
    if (work != null) {
      work.close();
    }
    parts.clear();
  }

  /** The batches of some files, one file after the other. */
  private final class Reader implements AutoCloseable {
    private final Deque<SpillFile> files;
    private @Nullable BatchStream stream;

    private Reader(List<SpillFile> files) {
      this.files = new ArrayDeque<>(files);
    }

    @Nullable Batch next() {
      while (true) {
        BatchStream open = stream;
        if (open == null) {
          SpillFile file = files.poll();
          if (file == null) {
            return null;
          }
          open = spill.read(file);
          stream = open;
        }
        Batch batch = open.next();
        if (batch != null) {
          return batch;
        }
        close();
      }
    }

    @Override
    public void close() {
      BatchStream open = stream;
      stream = null;
      if (open != null) {
        open.close();
      }
    }
  }

  /** What gives rows: a pass over the probe rows. */
  private interface Pass extends AutoCloseable {
    @Nullable Batch next();

    @Override
    void close();
  }

  /** The part that is being joined. */
  private final class Current implements AutoCloseable {
    private final Part part;
    private final Reader build;
    private @Nullable Batch pending;
    private boolean moreToBuild = true;
    private boolean inPasses;

    /** What is reserved however many tables are made: readers and flags. */
    private final long held;

    private final boolean flagged;
    private @Nullable BitSet flags;
    private @Nullable Pass pass;

    private Current(Part part) {
      this.part = part;
      this.build = new Reader(part.build());
      this.flagged = spec.type().keepsUnmatchedRight() || spec.type() == JoinType.RIGHT_SEMI;
      this.held =
          Part.readerBytes(part.build())
              + Part.readerBytes(part.probe())
              + (flagged ? Part.rows(part.probe()) / 8 + 8 : 0);
      memory.grow(held);
    }

    @Nullable Batch next() {
      while (true) {
        Pass open = pass;
        if (open == null) {
          open = nextPass();
          if (open == null) {
            return null;
          }
          passes++;
          pass = open;
        }
        Batch batch = open.next();
        if (batch != null) {
          return batch;
        }
        open.close();
        pass = null;
        memory.shrinkTo(held);
      }
    }

    private @Nullable Pass nextPass() {
      if (moreToBuild) {
        JoinRows rows = new JoinRows(memory, builder.read().length);
        if (!load(rows)) {
          return null;
        }
        JoinTable table = builder.table(List.of(rows));
        memory.releaseSetAside();
        if (moreToBuild && !inPasses) {
          inPasses = true;
          spec.node().metrics().add("spill_passes", 1);
          if (flagged) {
            flags = new BitSet(flagged(Part.rows(part.probe())));
          }
        }
        return new TablePass(table, part.probe(), inPasses, flags);
      }
      BitSet matched = flags;
      flags = null;
      return matched == null ? null : new FlaggedPass(part.probe(), matched);
    }

    /** Reads as many rows as fit; false if the part was divided instead. */
    private boolean load(JoinRows rows) {
      while (true) {
        Batch batch = pending != null ? pending : build.next();
        pending = null;
        if (batch == null) {
          moreToBuild = false;
          return true;
        }
        if (tryLoad(rows, batch)) {
          continue;
        }
        if (!inPasses && divides()) {
          divide(rows, batch);
          return false;
        }
        if (rows.rows() == 0) {
          loadSome(rows, batch);
        } else {
          pending = batch;
        }
        return true;
      }
    }

    /** With the rows the memory that their table takes is set aside. */
    private boolean tryLoad(JoinRows rows, Batch batch) {
      if (!rows.tryAdd(batch)) {
        return false;
      }
      if (!builder.isTooLarge(List.of(rows))
          && memory.trySetAsideInAll(builder.bytesFor(List.of(rows)))) {
        return true;
      }
      rows.removeLast();
      return false;
    }

    /** A part of a batch that does not fit, in the end of a single row or it is an error. */
    private void loadSome(JoinRows rows, Batch batch) {
      int count = batch.rowCount() / 2;
      while (count > 0 && !tryLoad(rows, batch.slice(0, count))) {
        count /= 2;
      }
      if (count == 0) {
        count = 1;
        rows.add(batch.slice(0, 1));
      }
      if (count < batch.rowCount()) {
        pending = batch.slice(count, batch.rowCount() - count);
      }
    }

    private boolean divides() {
      return part.divisible()
          && !spec.on().isEmpty()
          && part.level() < MAX_LEVEL
          && !context.query().settings().get(EngineSettings.CONSTANT_HASH);
    }

    private void divide(JoinRows rows, Batch next) {
      moreToBuild = false;
      spec.node().metrics().add("spill_divisions", 1);
      SpilledSide buildSide = new SpilledSide(buildSchema, buildKeys, part.level(), spill, context);
      rows.batches().forEach(buildSide::add);
      rows.clear();
      memory.releaseSetAside();
      buildSide.add(next);
      Batch batch;
      while ((batch = build.next()) != null) {
        buildSide.add(batch);
      }
      buildSide.seal();
      SpilledSide probeSide =
          new SpilledSide(probeSchema, spec.probeKeys(), part.level(), spill, context);
      try (Reader probe = new Reader(part.probe())) {
        while ((batch = probe.next()) != null) {
          probeSide.add(batch);
        }
      }
      probeSide.seal();
      long all = Part.rows(part.build());
      List<Part> divided = new ArrayList<>();
      for (int p = SpilledSide.parts(buildKeys, context) - 1; p >= 0; p--) {
        List<SpillFile> buildFiles = buildSide.part(p);
        boolean divisible = Part.rows(buildFiles) * 100 <= all * SKEWED_PERCENT;
        divided.add(new Part(buildFiles, probeSide.part(p), part.level() + 1, divisible, true));
      }
      divided.forEach(parts::addFirst);
    }

    @Override
    public void close() {
      Pass open = pass;
      pass = null;
      if (open != null) {
        open.close();
      }
      build.close();
      delete(part);
      memory.releaseAll();
    }
  }

  /** How many probe rows of one part can be marked as matched. */
  private int flagged(long rows) {
    if (rows > Integer.MAX_VALUE) {
      throw new VarveException(
          ErrorCode.MEMORY_LIMIT_EXCEEDED,
          spec.node().name()
              + ": "
              + rows
              + " probe rows meet one part of the build side, more than "
              + Integer.MAX_VALUE);
    }
    return (int) rows;
  }

  /** Probe rows against one table. */
  private final class TablePass implements Pass {
    private final JoinTable table;
    private final JoinType type;
    private final boolean emits;
    private final @Nullable BitSet flags;
    private final Reader probe;
    private final JoinPairs pairs;
    private final List<PhysicalExpr> keys = spec.probeKeys();
    private JoinOutput.@Nullable Tail tail;
    private int base;
    private int read;

    private TablePass(
        JoinTable table, List<SpillFile> probe, boolean oneOfSeveral, @Nullable BitSet flags) {
      this.table = table;
      this.type = oneOfSeveral ? ofMatches(spec.type()) : spec.type();
      this.emits = !oneOfSeveral || spec.type().keepsLeftColumns();
      this.flags = flags;
      this.probe = new Reader(probe);
      this.pairs = new JoinPairs(spec.as(type), context);
    }

    /** The join without what depends on a probe row having no match. */
    private static JoinType ofMatches(JoinType type) {
      return switch (type) {
        case RIGHT -> JoinType.INNER;
        case FULL -> JoinType.LEFT;
        case RIGHT_ANTI -> JoinType.RIGHT_SEMI;
        case INNER, LEFT, LEFT_SEMI, LEFT_ANTI, RIGHT_SEMI -> type;
      };
    }

    @Override
    public @Nullable Batch next() {
      while (true) {
        context.query().cancellation().check();
        JoinOutput.Tail rest = tail;
        if (rest != null) {
          return rest.next();
        }
        if (!pairs.hasMore()) {
          Batch batch = probe.next();
          if (batch == null) {
            pairs.clear();
            if (!type.emitsLeftAtEnd()) {
              return null;
            }
            tail = output.new Tail(table, type);
            continue;
          }
          base = read;
          read += batch.rowCount();
          pairs.start(table, batch, keys(batch));
        }
        Batch batch = output.advance(type, table, pairs);
        BitSet matched = flags;
        if (matched != null && batch != null) {
          pairs.flagProbeRows(matched, base, batch.rowCount());
        }
        if (batch != null && emits) {
          return batch;
        }
      }
    }

    private Column[] keys(Batch batch) {
      Column[] columns = new Column[keys.size()];
      for (int k = 0; k < columns.length; k++) {
        columns[k] = keys.get(k).evaluate(batch, context.query().eval());
      }
      return columns;
    }

    @Override
    public void close() {
      probe.close();
    }
  }

  /** After all passes: probe rows by whether they matched in one. */
  private final class FlaggedPass implements Pass {
    private final Reader probe;
    private final BitSet flags;
    private final boolean matched = spec.type() == JoinType.RIGHT_SEMI;
    private int read;

    private FlaggedPass(List<SpillFile> probe, BitSet flags) {
      this.probe = new Reader(probe);
      this.flags = flags;
    }

    @Override
    public @Nullable Batch next() {
      Batch batch;
      while ((batch = probe.next()) != null) {
        int[] rows = new int[batch.rowCount()];
        int count = 0;
        for (int i = 0; i < rows.length; i++) {
          rows[count] = i;
          count += flags.get(read + i) == matched ? 1 : 0;
        }
        read += rows.length;
        if (count > 0) {
          return output.probeRows(batch, rows, count);
        }
      }
      return null;
    }

    @Override
    public void close() {
      probe.close();
    }
  }
}
