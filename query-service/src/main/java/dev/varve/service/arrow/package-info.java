/**
 * Batches as Arrow has them, for clients: values are copied between arrays and Arrow's buffers as
 * they are, column by column. Start reading at {@link dev.varve.service.arrow.ArrowBatches}.
 */
@NullMarked
package dev.varve.service.arrow;

import org.jspecify.annotations.NullMarked;
