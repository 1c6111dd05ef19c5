/** Wall time, CPU time, memory and the load of the machine. */
@NullMarked
package dev.varve.bench.measure;

import org.jspecify.annotations.NullMarked;
