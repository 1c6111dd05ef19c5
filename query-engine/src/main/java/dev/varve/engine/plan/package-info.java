/** The contract of a physical plan node and the explanation of plans. */
@NullMarked
package dev.varve.engine.plan;

import org.jspecify.annotations.NullMarked;
