/** The demo: loads TPC-H and shows what orderings are good for. */
@NullMarked
package dev.varve.service.demo;

import org.jspecify.annotations.NullMarked;
