/** How files are written: options of a table and of COPY, their names, defaults and limits. */
@NullMarked
package dev.varve.writer.option;

import org.jspecify.annotations.NullMarked;
