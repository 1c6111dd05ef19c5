/** The sinks behind INSERT, CREATE TABLE AS and COPY TO. */
@NullMarked
package dev.varve.writer.sink;

import org.jspecify.annotations.NullMarked;
