/**
 * The vocabulary that catalog, engine and writer share: orderings, trust, typed bounds, file facts
 * and the port between planner and catalog.
 *
 * <p>A fact may only ever make a query faster. What is absent, inexact or unverified means "keep
 * the data, keep the sort".
 */
@NullMarked
package dev.varve.layout;

import org.jspecify.annotations.NullMarked;
