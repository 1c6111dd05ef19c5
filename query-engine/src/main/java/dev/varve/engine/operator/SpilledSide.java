package dev.varve.engine.operator;

import dev.varve.engine.batch.Batch;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.expr.PhysicalExpr;
import dev.varve.engine.kernel.key.HashSeed;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.engine.spill.SpillFile;
import dev.varve.engine.type.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one side of a join on disk, divided by their keys: those with equal keys are in the part
 * of the same number, on both sides. Without keys all rows are in part 0. Confined to one task.
 */
final class SpilledSide {
  private static final int FEW_PARTS = 8;
  private static final int MANY_PARTS = 32;
  private static final long LARGE_POOL = 256L << 20;
  private static final long LEAST_BATCH_BYTES = 4 << 10;
  private static final long LARGEST_BATCH_BYTES = 1 << 20;
  private static final int BATCHES_IN_POOL = 256;

  private final Schema schema;
  private final OperatorSpill spill;
  private final long batchBytes;
  private final @Nullable SpillFile[] files;
  private final @Nullable RowDivision division;

  /**
   * @param keys over {@code schema}
   * @param level how often the rows have been divided before; each level has a hash of its own
   */
  SpilledSide(
      Schema schema, List<PhysicalExpr> keys, int level, OperatorSpill spill, TaskContext context) {
    boolean divides =
        !keys.isEmpty() && !context.query().settings().get(EngineSettings.CONSTANT_HASH);
    this.schema = schema;
    this.spill = spill;
    this.batchBytes = batchBytes(context);
    this.files = new SpillFile[parts(keys, context)];
    this.division =
        divides
            ? new RowDivision(OrderingKeys.unordered(keys, context), HashSeed.spill(level))
            : null;
  }

  /** How large a batch that is written may be. */
  static long batchBytes(TaskContext context) {
    return Math.clamp(
        context.query().memory().limit() / BATCHES_IN_POOL, LEAST_BATCH_BYTES, LARGEST_BATCH_BYTES);
  }

  /** How many parts every side of a join with these keys has. */
  static int parts(List<PhysicalExpr> keys, TaskContext context) {
    return keys.isEmpty()
        ? 1
        : context.query().memory().limit() < LARGE_POOL ? FEW_PARTS : MANY_PARTS;
  }

  void add(Batch batch) {
    if (batch.rowCount() == 0) {
      return;
    }
    if (division == null) {
      spill.append(file(0), batch);
    } else {
      for (RowDivision.Part part : division.divide(batch, files.length)) {
        spill.append(file(part.partition()), part.batch());
      }
    }
  }

  private SpillFile file(int part) {
    SpillFile file = files[part];
    if (file == null) {
      file = spill.create(schema, batchBytes);
      files[part] = file;
    }
    return file;
  }

  /** No more rows come. */
  void seal() {
    for (SpillFile file : files) {
      if (file != null) {
        file.seal();
      }
    }
  }

  /** The file of a part: one or none. */
  List<SpillFile> part(int part) {
    SpillFile file = files[part];
    return file == null ? List.of() : List.of(file);
  }
}
