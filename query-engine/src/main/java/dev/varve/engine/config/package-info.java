/** The typed registry of settings. */
@NullMarked
package dev.varve.engine.config;

import org.jspecify.annotations.NullMarked;
