/** What orderings are worth: tables sorted by (key, ts). */
@NullMarked
package dev.varve.bench.sorted;

import org.jspecify.annotations.NullMarked;
