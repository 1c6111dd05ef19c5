/**
 * The ports by which files that no table needs any more are found and removed, without taking one
 * from a statement that still reads or writes it.
 *
 * <p>Start reading at {@link dev.varve.layout.upkeep.LakeUpkeep}.
 */
@NullMarked
package dev.varve.layout.upkeep;

import org.jspecify.annotations.NullMarked;
