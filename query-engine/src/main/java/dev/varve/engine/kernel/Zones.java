package dev.varve.engine.kernel;

import dev.varve.engine.batch.LongColumn;
import dev.varve.engine.type.DataType;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;

/** Between instants and a zone's local time, in microseconds. */
public final class Zones {
  public static final long MICROS_PER_SECOND = 1_000_000L;
  public static final long MICROS_PER_DAY = 86_400L * MICROS_PER_SECOND;

  private Zones() {}

  /** TIMESTAMPTZ as the zone's TIMESTAMP. */
  public static LongColumn toLocal(LongColumn instants, ZoneId zone) {
    return shifted(instants, zone, true, DataType.TIMESTAMP);
  }

  /**
   * A zone's TIMESTAMP as TIMESTAMPTZ. A local time that summer time skips is read with the offset
   * before the gap, one that occurs twice is the later instant of standard time, as PostgreSQL
   * does.
   */
  public static LongColumn toInstant(LongColumn locals, ZoneId zone) {
    return shifted(locals, zone, false, DataType.TIMESTAMPTZ);
  }

  private static LongColumn shifted(
      LongColumn column, ZoneId zone, boolean toLocal, DataType type) {
    int n = column.length();
    ZoneRules rules = zone.getRules();
    if (rules.isFixedOffset()) {
      long shift = rules.getOffset(Instant.EPOCH).getTotalSeconds() * MICROS_PER_SECOND;
      if (shift == 0) {
        return new LongColumn(type, column.values(), column.offset(), n, column.validity());
      }
    }
    long[] values = column.values();
    int offset = column.offset();
    long[] out = new long[n];
    for (int i = 0; i < n; i++) {
      long x = values[offset + i];
      out[i] = toLocal ? x + offsetAt(x, rules) : x - offsetOfLocal(x, rules);
    }
    return new LongColumn(type, out, Masks.copy(column));
  }

  /** The zone's offset at an instant, in microseconds. */
  public static long offsetAt(long instantMicros, ZoneRules rules) {
    long second = Math.floorDiv(instantMicros, MICROS_PER_SECOND);
    return rules.getOffset(Instant.ofEpochSecond(second)).getTotalSeconds() * MICROS_PER_SECOND;
  }

  /** The offset that a local time is read with, in microseconds. */
  public static long offsetOfLocal(long localMicros, ZoneRules rules) {
    LocalDateTime local =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(localMicros, MICROS_PER_SECOND), 0, ZoneOffset.UTC);
    var valid = rules.getValidOffsets(local);
    ZoneOffset offset =
        switch (valid.size()) {
          case 0 -> rules.getTransition(local).getOffsetBefore();
          case 1 -> valid.get(0);
          default -> valid.get(1);
        };
    return offset.getTotalSeconds() * MICROS_PER_SECOND;
  }
}
