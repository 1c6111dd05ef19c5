package dev.varve.engine.sql;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the name that a misspelt one was probably meant to be. */
public final class Suggestions {
  private Suggestions() {}

  /** {@code did you mean 'x'?}, or null if nothing is near. */
  public static @Nullable String hint(String word, Collection<String> candidates) {
    return nearest(word, candidates).map(name -> "did you mean '" + name + "'?").orElse(null);
  }

  /** The candidate with the fewest edits, at most a third of the word's letters. */
  public static Optional<String> nearest(String word, Collection<String> candidates) {
    String folded = word.toLowerCase(Locale.ROOT);
    int limit = folded.length() < 2 ? 0 : Math.max(1, folded.length() / 3);
    String best = null;
    int bestDistance = limit + 1;
    for (String candidate : candidates) {
      int distance = distance(folded, candidate.toLowerCase(Locale.ROOT), bestDistance);
      if (distance < bestDistance && !candidate.equals(word)) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  static Collection<String> join(Collection<String> first, Collection<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  /**
   * Edits between two words, counting a swap of neighbours as one (optimal string alignment); any
   * number of at least {@code cap} where it is that or more.
   */
  static int distance(String a, String b, int cap) {
    if (Math.abs(a.length() - b.length()) >= cap) {
      return cap;
    }
    int[] twoBack = new int[b.length() + 1];
    int[] previous = new int[b.length() + 1];
    int[] current = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int best = Math.min(previous[j - 1] + change, Math.min(previous[j], current[j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          best = Math.min(best, twoBack[j - 2] + 1);
        }
        current[j] = best;
      }
      int[] reused = twoBack;
      twoBack = previous;
      previous = current;
      current = reused;
    }
    return previous[b.length()];
  }
}
