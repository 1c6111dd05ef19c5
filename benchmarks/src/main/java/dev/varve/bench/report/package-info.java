/** What is printed and written. */
@NullMarked
package dev.varve.bench.report;

import org.jspecify.annotations.NullMarked;
