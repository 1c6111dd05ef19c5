@NullMarked
package dev.varve.engine.kernel.join;

import org.jspecify.annotations.NullMarked;
