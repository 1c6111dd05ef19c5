/**
 * The home directory: its layout, its lock, its configuration, and how a running process is found.
 */
@NullMarked
package dev.varve.service.home;

import org.jspecify.annotations.NullMarked;
