/** The SQL shell. */
@NullMarked
package dev.varve.service.shell;

import org.jspecify.annotations.NullMarked;
