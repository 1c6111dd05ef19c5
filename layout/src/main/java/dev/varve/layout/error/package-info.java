/** Failures as values that people and programs can act on, shared by every module. */
@NullMarked
package dev.varve.layout.error;

import org.jspecify.annotations.NullMarked;
