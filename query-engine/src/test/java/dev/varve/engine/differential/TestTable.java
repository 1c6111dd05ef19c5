package dev.varve.engine.differential;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of the harness: its rows, and the pattern of the Parquet files that hold them. A value is
 * a Boolean, Integer, Long, Float, Double, BigDecimal, LocalDate, LocalTime, LocalDateTime,
 * Instant, String, UUID or byte[].
 */
public record TestTable(
    String name, List<TestColumn> columns, List<List<@Nullable Object>> rows, String pattern) {}
