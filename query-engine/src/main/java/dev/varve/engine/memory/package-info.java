/**
 * Memory that is reserved before it is used; refusal is normal flow and means spill or a named
 * error.
 */
@NullMarked
package dev.varve.engine.memory;

import org.jspecify.annotations.NullMarked;
