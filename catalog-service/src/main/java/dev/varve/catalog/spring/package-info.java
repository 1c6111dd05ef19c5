/** Spring Boot's auto-configuration of the catalog and its REST controllers. */
@NullMarked
package dev.varve.catalog.spring;

import org.jspecify.annotations.NullMarked;
