/**
 * The layout index: facts about data files, kept in the catalog's database beside the pointer to a
 * table's metadata and changed in the same transaction.
 *
 * <p>{@link CommitIndexer} reads, before the transaction, what a commit's new snapshots add and
 * remove; {@link IndexWriter} makes it live within it; {@link JdbcLayoutIndex} answers planners.
 *
 * <p>A <em>line</em> is one linear history of a table's main branch. A file's life in a line is an
 * interval of the table's own sequence numbers, a snapshot is a point in it. After a rollback the
 * next commit starts a new line that begins with the files of the snapshot it stands on. What the
 * index does not know entirely (a branch, a history it has not seen) has no point, and the answer
 * is "not indexed".
 */
@NullMarked
package dev.varve.catalog.index;

import org.jspecify.annotations.NullMarked;
