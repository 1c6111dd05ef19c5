package dev.varve.engine.expr;

import java.time.ZoneId;

/** What STABLE functions see: fixed for one execution of a statement. */
public record EvalContext(
    long nowMicros, ZoneId zone, String user, String catalog, String schema) {}
