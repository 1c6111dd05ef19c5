/** Written files as Iceberg and the layout index know them, and their commit. */
@NullMarked
package dev.varve.writer.commit;

import org.jspecify.annotations.NullMarked;
