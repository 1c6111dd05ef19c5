/** The engines that are measured, behind one interface. */
@NullMarked
package dev.varve.bench.contest;

import org.jspecify.annotations.NullMarked;
