/**
 * The Iceberg REST protocol under {@code /iceberg/v1}. Bodies are read and written by Iceberg's own
 * serializers, so the controllers see bytes.
 */
@NullMarked
package dev.varve.catalog.rest;

import org.jspecify.annotations.NullMarked;
