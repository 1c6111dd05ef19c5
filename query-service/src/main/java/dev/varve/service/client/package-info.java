/** The REST client that shell and demo use. */
@NullMarked
package dev.varve.service.client;

import org.jspecify.annotations.NullMarked;
