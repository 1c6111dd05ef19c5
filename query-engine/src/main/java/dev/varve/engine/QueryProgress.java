package dev.varve.engine;

/**
 * Where a query stands. Times in milliseconds; {@code rowsTotal} and {@code filesTotal} are
 * estimates of what is to be read, 0 when unknown. {@code planningCpuMicros} is the processor time
 * of the planning thread from the text to the plan, without waits for catalogs and files.
 */
public record QueryProgress(
    long queuedMillis,
    long planningMillis,
    long planningCpuMicros,
    long executionMillis,
    long rowsRead,
    long rowsTotal,
    long bytesRead,
    long filesTotal,
    long filesPruned,
    long rowGroupsTotal,
    long rowGroupsPruned,
    long pagesTotal,
    long pagesPruned,
    long rowsProduced,
    long memoryBytes,
    long memoryPeakBytes) {}
