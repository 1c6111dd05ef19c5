package dev.varve.engine.scan;

import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.memory.MemoryConsumer;
import dev.varve.engine.memory.MemoryReservation;
import dev.varve.engine.runtime.QueryContext;
import dev.varve.engine.runtime.TaskContext;
import dev.varve.layout.FileFacts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.util.ContentFileUtil;
import org.jspecify.annotations.Nullable;

/**
 * What the delete files of one scan delete, as far as several data files share it: read once, by
 * the first task that needs it, and held until the query ends. Safe for concurrent use.
 */
final class ScanDeletes {
  private final ScanTable table;
  private final MemoryReservation memory;
  private final boolean constantHash;
  private final Map<Group, Shared<EqualityDeletes>> equality = new LinkedHashMap<>();
  private final Map<String, Shared<PositionLists>> positions = new HashMap<>();
  private final Map<String, Set<String>> paths = new HashMap<>();

  /** Equality deletes over the same columns that apply to the same data files. */
  private record Group(List<Integer> fieldIds, int specId, List<@Nullable Object> partition) {
    static Group of(DeleteFile file, ScanTable table) {
      List<Integer> ids = file.equalityFieldIds().stream().distinct().sorted().toList();
      PartitionSpec spec = table.deletes().spec(file.specId());
      if (spec.isUnpartitioned()) {
        // Of the whole table, whatever partitions it has.
        return new Group(ids, -1, List.of());
      }
      List<@Nullable Object> values = new ArrayList<>();
      StructLike partition = file.partition();
      for (int i = 0; i < spec.fields().size(); i++) {
        Object value = partition.get(i, Object.class);
        values.add(value instanceof CharSequence text ? text.toString() : value);
      }
      return new Group(ids, file.specId(), values);
    }
  }

  /** Delete files, and what was made of them once that was needed. */
  private static final class Shared<T> {
    private final Map<String, DeleteFile> files = new LinkedHashMap<>();
    private final MadeOnce<T> made = new MadeOnce<>();
  }

  private ScanDeletes(ScanTable table, List<FileFacts> files, QueryContext query) {
    this.table = table;
    this.constantHash = query.settings().get(EngineSettings.CONSTANT_HASH);
    this.memory = query.memory().register(new MemoryConsumer("deletes of " + table.name(), false));
    query.closeAtEnd(memory);
    for (FileFacts file : files) {
      FileDeletes deletes = table.deletes().of(file);
      for (DeleteFile delete : deletes.equality()) {
        equality
            .computeIfAbsent(Group.of(delete, table), g -> new Shared<>())
            .files
            .put(delete.location(), delete);
      }
      for (DeleteFile delete : deletes.positions()) {
        if (isShared(delete)) {
          positions
              .computeIfAbsent(delete.location(), l -> new Shared<>())
              .files
              .put(delete.location(), delete);
          paths.computeIfAbsent(delete.location(), l -> new HashSet<>()).add(file.path());
        }
      }
    }
  }

  /** Null if nothing is deleted from any of the files. */
  static @Nullable ScanDeletes of(
      Object owner, ScanTable table, List<FileFacts> files, QueryContext query) {
    if (!table.deletes().any()
        || files.stream().allMatch(file -> table.deletes().of(file).isEmpty())) {
      return null;
    }
    return query.shared(owner, ScanDeletes.class, () -> new ScanDeletes(table, files, query));
  }

  FileDeletes of(FileFacts file) {
    return table.deletes().of(file);
  }

  /** Whether a file of positions may be about several data files. */
  static boolean isShared(DeleteFile file) {
    return !DeleteFileReader.isVector(file) && !ContentFileUtil.isFileScoped(file);
  }

  /** The positions of a delete file that {@link #isShared}. */
  PositionLists positions(DeleteFile file, DeleteFileReader reader, TaskContext context) {
    Shared<PositionLists> shared = positions.get(file.location());
    Set<String> wanted = paths.get(file.location());
    if (shared == null || wanted == null) {
      throw new IllegalStateException(file.location() + " is not of this scan");
    }
    return shared.made.get(
        context,
        () -> {
          PositionLists lists = new PositionLists(wanted, held(context));
          reader.readPositions(file, lists::add);
          return lists;
        });
  }

  /** The equality deletes that may delete rows of a file, one for each set of columns. */
  List<EqualityDeletes> equality(FileFacts file, DeleteFileReader reader, TaskContext context) {
    Set<Group> groups = new HashSet<>();
    List<EqualityDeletes> result = new ArrayList<>();
    for (DeleteFile delete : of(file).equality()) {
      Group group = Group.of(delete, table);
      if (!groups.add(group)) {
        continue;
      }
      Shared<EqualityDeletes> shared = equality.get(group);
      if (shared == null) {
        throw new IllegalStateException(delete.location() + " is not of this scan");
      }
      result.add(
          shared.made.get(context, () -> read(group, shared.files.values(), reader, context)));
    }
    return result;
  }

  private EqualityDeletes read(
      Group group, Iterable<DeleteFile> files, DeleteFileReader reader, TaskContext context) {
    List<ScanColumn> columns = group.fieldIds.stream().map(table.deletes()::key).toList();
    EqualityDeletes deletes = new EqualityDeletes(columns, held(context), constantHash);
    for (DeleteFile file : files) {
      long sequence = sequenceNumber(file.dataSequenceNumber());
      reader.read(file, columns, (values, count) -> deletes.add(values, count, sequence));
    }
    deletes.seal();
    return deletes;
  }

  /** A reservation of the task that makes what is shared, for as long as the query. */
  private MemoryReservation held(TaskContext context) {
    MemoryReservation own = memory.sibling();
    context.query().closeAtEnd(own);
    return own;
  }

  static long sequenceNumber(@Nullable Long number) {
    return number == null ? 0 : number;
  }
}
