package dev.varve.writer.option;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** "Did you mean": the nearest of some names, if one is near. */
final class Suggestion {
  private Suggestion() {}

  static @Nullable String hint(String name, Collection<String> known) {
    String best = null;
    int least = Math.max(2, name.length() / 2);
    for (String candidate : known) {
      int distance = distance(name, candidate);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return best == null ? "known are " + String.join(", ", known) : "did you mean '" + best + "'?";
  }

  /** Levenshtein's. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
      }
      int[] swap = previous;
      previous = current;
      current = swap;
    }
    return previous[b.length()];
  }
}
