package dev.varve.catalog.index;

import java.util.Arrays;
import java.util.List;

/** Sets of file ids as ascending arrays. */
final class SortedIds {
  static final long[] NONE = new long[0];

  private SortedIds() {}

  static long[] of(List<Long> ids) {
    return ids.stream().mapToLong(Long::longValue).sorted().distinct().toArray();
  }

  static long[] union(long[] a, long[] b) {
    if (a.length == 0 || b.length == 0) {
      return a.length == 0 ? b : a;
    }
    long[] merged = new long[a.length + b.length];
    int n = 0;
    int i = 0;
    int j = 0;
    while (i < a.length || j < b.length) {
      if (j == b.length || (i < a.length && a[i] < b[j])) {
        merged[n++] = a[i++];
      } else {
        i += i < a.length && a[i] == b[j] ? 1 : 0;
        merged[n++] = b[j++];
      }
    }
    return Arrays.copyOf(merged, n);
  }

  static long[] minus(long[] a, long[] b) {
    if (a.length == 0 || b.length == 0) {
      return a;
    }
    long[] rest = new long[a.length];
    int n = 0;
    int j = 0;
    for (long id : a) {
      while (j < b.length && b[j] < id) {
        j++;
      }
      if (j == b.length || b[j] != id) {
        rest[n++] = id;
      }
    }
    return Arrays.copyOf(rest, n);
  }
}
