/**
 * Decides what to read. {@link dev.varve.engine.scan.DataSourceExec} is the leaf of every plan over
 * files: it takes filters and wishes for an order, and turns them into files, row groups, pages and
 * rows that need not be read, and into groups of files that come out in order.
 *
 * <p>Pruning is one abstract interpretation at every level: {@link dev.varve.engine.scan.Condition}
 * says which truth values a filter can have for the rows of a container, given what is known of its
 * columns; a container is skipped if TRUE is not among them. What is not known is possible.
 */
@NullMarked
package dev.varve.engine.scan;

import org.jspecify.annotations.NullMarked;
