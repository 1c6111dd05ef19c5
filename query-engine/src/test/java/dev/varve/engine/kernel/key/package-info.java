/** Tests of encoded keys against objects. */
@NullMarked
package dev.varve.engine.kernel.key;

import org.jspecify.annotations.NullMarked;
