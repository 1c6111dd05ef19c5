package dev.varve.bench.contest;

/** A query with its name in reports. */
public record Case(String name, String sql) {}
