/**
 * Flight SQL: statements, prepared statements, metadata and sessions for JDBC, ADBC and others.
 * Start reading at {@link dev.varve.service.flight.SqlProducer}; {@link
 * dev.varve.service.flight.FlightEndpoint} is the server around it.
 */
@NullMarked
package dev.varve.service.flight;

import org.jspecify.annotations.NullMarked;
