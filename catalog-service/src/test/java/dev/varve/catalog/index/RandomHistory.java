package dev.varve.catalog.index;

import dev.varve.catalog.LakeCatalog;
import dev.varve.catalog.TestFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.ReplacePartitions;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.catalog.TableIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * One table to which anything happens that Iceberg's clients can do: on the main branch and on
 * others, forwards and backwards. No bytes stand behind its files.
 */
final class RandomHistory {
  private static final String MAIN = SnapshotRef.MAIN_BRANCH;

  private final Random random;
  private final LakeCatalog lake;
  private final TableIdentifier name;
  private Table table;
  private int formatVersion;
  private int names;

  RandomHistory(Random random, LakeCatalog lake, TableIdentifier name) {
    this.random = random;
    this.lake = lake;
    this.name = name;
    this.formatVersion = 1 + random.nextInt(3);
    this.table =
        lake.catalog()
            .buildTable(name, TestFiles.SCHEMA)
            .withProperty("format-version", Integer.toString(formatVersion))
            .withSortOrder(random.nextBoolean() ? TestFiles.BY_K : TestFiles.BY_K_DESC)
            .create();
  }

  Table table() {
    return table;
  }

  /** Does something and says what. */
  String step() throws IOException {
    String action = act();
    table.refresh();
    return action;
  }

  private String act() throws IOException {
    if (table.currentSnapshot() == null) {
      append(table.newAppend(), MAIN);
      return "append first";
    }
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> change(branch());
      case 8 -> branchOff();
      case 9 -> removeRef();
      case 10 -> tag();
      case 11 -> rollBack();
      case 12 -> moveMain();
      case 13 -> writeAuditPublish();
      case 14 -> expire();
      case 15 -> {
        table.rewriteManifests().commit();
        yield "rewrite manifests";
      }
      case 16 -> transaction();
      case 17 -> fastForward();
      case 18 -> random.nextInt(4) == 0 ? replaceTable() : upgrade();
      default -> otherOrder();
    };
  }

  /** Main half of the time, else one of the other branches, if there are any. */
  private String branch() {
    List<String> branches =
        table.refs().entrySet().stream()
            .filter(ref -> ref.getValue().isBranch())
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    return random.nextBoolean() ? MAIN : branches.get(random.nextInt(branches.size()));
  }

  private String change(String branch) throws IOException {
    List<DataFile> chosen = some(branch);
    switch (random.nextInt(7)) {
      case 0, 1 -> {
        append(random.nextBoolean() ? table.newAppend() : table.newFastAppend(), branch);
        return "append to " + branch;
      }
      case 2 -> {
        DeleteFiles delete = table.newDelete().toBranch(branch);
        chosen.forEach(delete::deleteFile);
        delete.commit();
        return "delete from " + branch;
      }
      case 3 -> {
        OverwriteFiles overwrite = table.newOverwrite().toBranch(branch);
        chosen.forEach(overwrite::deleteFile);
        newFiles().forEach(overwrite::addFile);
        overwrite.commit();
        return "overwrite in " + branch;
      }
      case 4 -> {
        if (chosen.isEmpty()) {
          return "nothing";
        }
        RewriteFiles rewrite =
            table
                .newRewrite()
                .validateFromSnapshot(table.snapshot(branch).snapshotId())
                .toBranch(branch);
        chosen.forEach(rewrite::deleteFile);
        // A rewrite may not add rows.
        newFiles().stream().limit(chosen.size()).forEach(rewrite::addFile);
        rewrite.commit();
        return "rewrite in " + branch;
      }
      case 5 -> {
        ReplacePartitions replace = table.newReplacePartitions().toBranch(branch);
        newFiles().forEach(replace::addFile);
        replace.commit();
        return "replace all of " + branch;
      }
      default -> {
        if (chosen.isEmpty() || formatVersion == 1) {
          return "nothing";
        }
        RowDelta delta =
            table
                .newRowDelta()
                .validateFromSnapshot(table.snapshot(branch).snapshotId())
                .toBranch(branch);
        delta.addDeletes(deletesOf(chosen.getFirst()));
        newFiles().forEach(delta::addRows);
        delta.commit();
        return "row delta in " + branch;
      }
    }
  }

  private DeleteFile deletesOf(DataFile file) {
    FileMetadata.Builder builder =
        FileMetadata.deleteFileBuilder(PartitionSpec.unpartitioned())
            .ofPositionDeletes()
            .withFileSizeInBytes(100)
            .withRecordCount(1);
    if (formatVersion == 2) {
      return builder
          .withPath(table.location() + "/data/d-" + UUID.randomUUID() + ".parquet")
          .withFormat(FileFormat.PARQUET)
          .build();
    }
    return builder
        .withPath(table.location() + "/data/d-" + UUID.randomUUID() + ".puffin")
        .withFormat(FileFormat.PUFFIN)
        .withReferencedDataFile(file.location())
        .withContentOffset(4)
        .withContentSizeInBytes(40)
        .build();
  }

  private String branchOff() {
    String branch = "b" + names++;
    table.manageSnapshots().createBranch(branch, anySnapshot().snapshotId()).commit();
    append(table.newAppend(), branch);
    return "branch off " + branch;
  }

  private String tag() {
    String tag = "t" + names++;
    table.manageSnapshots().createTag(tag, anySnapshot().snapshotId()).commit();
    return "tag " + tag;
  }

  private String removeRef() {
    List<String> others =
        table.refs().keySet().stream().filter(ref -> !ref.equals(MAIN)).sorted().toList();
    if (others.isEmpty()) {
      return "nothing";
    }
    String ref = others.get(random.nextInt(others.size()));
    if (Objects.requireNonNull(table.refs().get(ref)).isBranch()) {
      table.manageSnapshots().removeBranch(ref).commit();
    } else {
      table.manageSnapshots().removeTag(ref).commit();
    }
    return "remove " + ref;
  }

  private String rollBack() {
    Long parent = table.currentSnapshot().parentId();
    if (parent == null || table.snapshot(parent) == null) {
      return "nothing";
    }
    table.manageSnapshots().rollbackTo(parent).commit();
    append(table.newFastAppend(), MAIN);
    return "roll back and append";
  }

  private String moveMain() {
    table.manageSnapshots().setCurrentSnapshot(anySnapshot().snapshotId()).commit();
    return "move main";
  }

  private String writeAuditPublish() {
    AppendFiles staged = table.newAppend();
    newFiles().forEach(staged::appendFile);
    staged.stageOnly().commit();
    table.refresh();
    Snapshot written = null;
    for (Snapshot snapshot : table.snapshots()) {
      written = snapshot;
    }
    if (random.nextBoolean()) {
      append(table.newAppend(), MAIN);
    }
    if (written != null && random.nextInt(3) > 0) {
      table.manageSnapshots().cherrypick(written.snapshotId()).commit();
      return "write, audit and publish";
    }
    return "write and leave";
  }

  private String expire() {
    table
        .expireSnapshots()
        .retainLast(1 + random.nextInt(4))
        .expireOlderThan(System.currentTimeMillis() + 1_000)
        .cleanExpiredFiles(false)
        .commit();
    return "expire";
  }

  private String transaction() throws IOException {
    List<DataFile> chosen = some(MAIN);
    Transaction transaction = table.newTransaction();
    append(transaction.newAppend(), MAIN);
    DeleteFiles delete = transaction.newDelete();
    chosen.forEach(delete::deleteFile);
    delete.commit();
    transaction.commitTransaction();
    return "transaction";
  }

  private String fastForward() {
    String branch = "b" + names++;
    table.manageSnapshots().createBranch(branch, table.currentSnapshot().snapshotId()).commit();
    append(table.newAppend(), branch);
    table.manageSnapshots().fastForwardBranch(MAIN, branch).commit();
    return "branch and fast forward";
  }

  private String replaceTable() {
    Transaction replace =
        lake.catalog()
            .buildTable(name, TestFiles.SCHEMA)
            .withSortOrder(TestFiles.BY_K)
            .replaceTransaction();
    append(replace.newAppend(), MAIN);
    replace.commitTransaction();
    table = lake.catalog().loadTable(name);
    return "replace the table";
  }

  private String upgrade() {
    if (formatVersion == 3) {
      return "nothing";
    }
    var operations = ((BaseTable) table).operations();
    var metadata = operations.current();
    formatVersion++;
    operations.commit(metadata, metadata.upgradeToFormatVersion(formatVersion));
    return "upgrade to " + formatVersion;
  }

  private String otherOrder() {
    if (random.nextBoolean()) {
      table.replaceSortOrder().asc("k").commit();
    } else {
      table.replaceSortOrder().desc("k").commit();
    }
    return "another sort order";
  }

  private Snapshot anySnapshot() {
    List<Snapshot> all = new ArrayList<>();
    table.snapshots().forEach(all::add);
    return all.get(random.nextInt(all.size()));
  }

  private List<DataFile> some(String branch) throws IOException {
    @Nullable Snapshot head = table.snapshot(branch);
    if (head == null) {
      return List.of();
    }
    List<DataFile> live = IndexEqualsManifests.live(table, head);
    Collections.shuffle(live, random);
    return live.subList(0, live.isEmpty() ? 0 : 1 + random.nextInt(Math.min(4, live.size())));
  }

  private void append(AppendFiles append, String branch) {
    newFiles().forEach(append::appendFile);
    append.toBranch(branch).commit();
  }

  /** Some of the files are ours and staged, the others come from elsewhere. */
  private List<DataFile> newFiles() {
    List<DataFile> files = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      long low = random.nextInt(-500, 500);
      long high = low + random.nextInt(random.nextInt(10) == 0 ? 1000 : 30);
      DataFile file = TestFiles.file(table, low, high);
      if (random.nextBoolean()) {
        lake.layoutIndex()
            .stage(table.uuid().toString(), List.of(TestFiles.verified(file, low, high)));
      }
      files.add(file);
    }
    return files;
  }
}
