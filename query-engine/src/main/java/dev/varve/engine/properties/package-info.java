/**
 * What a plan node promises about its output (partitioning, equivalences, orderings, statistics)
 * and requires of its inputs.
 */
@NullMarked
package dev.varve.engine.properties;

import org.jspecify.annotations.NullMarked;
