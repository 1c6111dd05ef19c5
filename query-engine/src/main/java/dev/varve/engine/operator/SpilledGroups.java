package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.expr.ColumnExpr;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.spill.SpillFile;
import dev.varve.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * States of groups on disk, divided by the hash of the group columns so that all states of a group
 * are in one file. Each level divides by a hash of its own. Confined to one task.
 */
final class SpilledGroups {
  /** More memory makes more parts, so that fewer of them must be divided again. */
  private static final long BYTES_PER_PART = 64 << 10;

  private static final int LEAST_PARTS = 2;
  private static final int MOST_PARTS = 32;
  private static final int STEPS = 16;

  private final Schema schema;
  private final int level;
  private final OperatorSpill spill;
  private final TaskContext context;
  private final RowDivision division;
  private @Nullable SpillFile[] files = new SpillFile[0];

  /** A file of states that belong together, and the level that divides it if it is too large. */
  record Part(SpillFile file, int level) {}

  SpilledGroups(
      Schema schema, int groupColumns, int level, OperatorSpill spill, TaskContext context) {
    this.schema = schema;
    this.level = level;
    this.spill = spill;
    this.context = context;
    List<PhysicalExpr> groups = new ArrayList<>();
    for (int i = 0; i < groupColumns; i++) {
      groups.add(ColumnExpr.of(schema, i));
    }
    this.division = new RowDivision(OrderingKeys.unordered(groups, context), HashSeed.spill(level));
  }

  /** Writes all groups of a table; {@code heldBytes} is what it takes. */
  void add(GroupTable table, long heldBytes) {
    if (files.length == 0) {
      int parts = (int) Math.clamp(heldBytes / BYTES_PER_PART, LEAST_PARTS, MOST_PARTS);
      files = new SpillFile[parts];
    }
    int step = Math.clamp(table.size() / STEPS, 1, context.batchSize());
    for (int from = 0; from < table.size(); from += step) {
      int count = Math.min(step, table.size() - from);
      Batch states = new Batch(schema, table.states(from, count), count);
      for (RowDivision.Part part : division.divide(states, files.length)) {
        spill.append(file(part.partition(), heldBytes), part.batch());
      }
    }
  }

  private SpillFile file(int part, long heldBytes) {
    SpillFile file = files[part];
    if (file == null) {
      file = spill.create(schema, heldBytes / (STEPS * files.length));
      files[part] = file;
    }
    return file;
  }

  /** The parts that have something, complete. */
  List<Part> finish() {
    List<Part> parts = new ArrayList<>();
    for (SpillFile file : files) {
      if (file != null) {
        file.seal();
        parts.add(new Part(file, level + 1));
      }
    }
    return parts;
  }
}
