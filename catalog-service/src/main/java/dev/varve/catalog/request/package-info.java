/** How clients name the changes that they ask for. */
@NullMarked
package dev.varve.catalog.request;

import org.jspecify.annotations.NullMarked;
