package dev.varve.catalog.index;

/** Who said what is known of a file; the numbers are stored. */
enum StatsState {
  /** The manifest, and the footer is still to be read. */
  MANIFEST(0),
  /** The manifest and the footer. */
  FOOTER(1),
  /** Our own writer. */
  WRITER(2),
  /** The manifest; there is no footer that could be read. */
  MANIFEST_ONLY(3);

  private final int code;

  StatsState(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** What a stored number stands for. */
  static StatsState of(int code) {
    for (StatsState state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    throw new IllegalStateException("no state of facts has the number " + code);
  }
}
