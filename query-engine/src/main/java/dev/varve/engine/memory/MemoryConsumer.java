package dev.varve.engine.memory;

/** Who holds memory, for reports; {@code canSpill} takes part in fair shares. */
public record MemoryConsumer(String name, boolean canSpill) {}
