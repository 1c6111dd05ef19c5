package dev.varve.engine.sql;

/** A statement of a script with its own text; positions count from the start of that text. */
public record ParsedStatement(String text, Statement statement) {}
