/** The one executable: its commands, and how they end. */
@NullMarked
package dev.varve.service;

import org.jspecify.annotations.NullMarked;
