/** Who may come in, and what a statement may touch. */
@NullMarked
package dev.varve.service.security;

import org.jspecify.annotations.NullMarked;
