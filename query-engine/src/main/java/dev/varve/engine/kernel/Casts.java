package dev.varve.engine.kernel;

import dev.varve.engine.batch.*;
import dev.varve.engine.type.DataType;
import java.time.ZoneId;

public final class Casts {
  private Casts() {}

  public static Column cast(Column column, DataType type, boolean safe, ZoneId zone) {
    throw new IllegalStateException("cast");
  }

  public static boolean usesZone(DataType from, DataType to) {
    return false;
  }

  public static boolean fallible(DataType from, DataType to) {
    return true;
  }
}
