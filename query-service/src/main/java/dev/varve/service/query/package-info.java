/** Sessions, running queries and their results, and the REST resources over them. */
@NullMarked
package dev.varve.service.query;

import org.jspecify.annotations.NullMarked;
