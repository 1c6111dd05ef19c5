/** The order-preserving binary encoding of values and sort keys: byte order is value order. */
@NullMarked
package dev.varve.layout.key;

import org.jspecify.annotations.NullMarked;
