package dev.varve.engine.kernel.key;

/**
 * The seeds of the places that hash keys. They differ, or the rows that an exchange sent to one
 * partition would crowd into a part of its table.
 */
public final class HashSeed {
  public static final long EXCHANGE = 0x51ED270B35A1C3F1L;
  public static final long GROUP_TABLE = 0xA4093822299F31D0L;
  public static final long JOIN_TABLE = 0x13198A2E03707344L;

  private static final long SPILL = 0x082EFA98EC4E6C89L;

  private HashSeed() {}

  /** Of the files that a part of {@code level} divisions before is divided into. */
  public static long spill(int level) {
    return Mixing.mix(SPILL + level);
  }
}
