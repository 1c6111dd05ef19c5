/**
 * Where tables and files lie: local directories and S3 behind one FileIO, confined to the
 * configured roots.
 *
 * <p>Start reading at {@link dev.varve.service.storage.S3Files}.
 */
@NullMarked
package dev.varve.service.storage;

import org.jspecify.annotations.NullMarked;
