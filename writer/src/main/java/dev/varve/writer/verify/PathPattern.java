package dev.varve.writer.verify;

/** A pattern as of LIKE: {@code %} stands for any text, {@code _} for any one character. */
record PathPattern(String pattern) {

  /** Greedy with one point to go back to, so that no pattern takes more than quadratic time. */
  boolean matches(String path) {
    int at = 0;
    int in = 0;
    int backAt = -1;
    int backIn = -1;
    while (in < path.length()) {
      if (at < pattern.length() && pattern.charAt(at) == '%') {
        backAt = ++at;
        backIn = in;
      } else if (at < pattern.length()
          && (pattern.charAt(at) == '_' || pattern.charAt(at) == path.charAt(in))) {
        at++;
        in++;
      } else if (backAt >= 0) {
        at = backAt;
        in = ++backIn;
      } else {
        return false;
      }
    }
    while (at < pattern.length() && pattern.charAt(at) == '%') {
      at++;
    }
    return at == pattern.length();
  }
}
