/** Procedures that remove what tables do not need any more. */
@NullMarked
package dev.varve.writer.maintain;

import org.jspecify.annotations.NullMarked;
