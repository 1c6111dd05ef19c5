package dev.varve.catalog.upkeep;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the names of all files of a snapshot begin with, by its manifest list, which never changes:
 * a snapshot whose files lie elsewhere than those looked for need not be read again. Safe for
 * concurrent use.
 */
final class NamePrefixes {
  private static final int MOST_ENTRIES = 100_000;

  private final Map<String, String> prefixes =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MOST_ENTRIES;
        }
      };

  synchronized void put(String manifestList, String prefix) {
    prefixes.put(manifestList, prefix);
  }

  /** Whether files with this common prefix may be among those of the snapshot. */
  synchronized boolean mayMeet(String manifestList, String wanted) {
    String known = prefixes.get(manifestList);
    return known == null || known.startsWith(wanted) || wanted.startsWith(known);
  }

  /** The longest common prefix of two names; of one, where there is no other yet. */
  static String common(@Nullable String prefix, String name) {
    if (prefix == null) {
      return name;
    }
    int length = Math.min(prefix.length(), name.length());
    int same = 0;
    while (same < length && prefix.charAt(same) == name.charAt(same)) {
      same++;
    }
    return prefix.substring(0, same);
  }
}
