package dev.varve.catalog.rest;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.apache.iceberg.exceptions.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list in the order of its names. A token says after which name to go on, so that names
 * that come or go between two pages neither hide others nor bring them twice.
 */
record Paging(@Nullable String after, int size) {
  private static final int MOST = 100_000;

  /**
   * @param token of the page before; empty or null for the first page
   * @param size how many names are wanted; null for all
   */
  static Paging of(@Nullable String token, @Nullable String size) {
    return new Paging(
        token == null || token.isEmpty() ? null : decode(token),
        size == null ? Integer.MAX_VALUE : number(size));
  }

  private static int number(String size) {
    try {
      int number = Integer.parseInt(size);
      if (number > 0) {
        return Math.min(number, MOST);
      }
    } catch (NumberFormatException e) {
      throw new BadRequestException(e, "Invalid pageSize '%s': a positive number", size);
    }
    throw new BadRequestException("Invalid pageSize '%s': a positive number", size);
  }

  private static String decode(String token) {
    try {
      return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException(e, "Invalid pageToken '%s': no page ended with it", token);
    }
  }

  /** Names, and the token of the page after them, which is null when there is none. */
  record Page<T>(List<T> names, @Nullable String next) {}

  <T> Page<T> of(List<T> all, Function<T, String> name) {
    String from = after;
    List<T> rest =
        all.stream()
            .filter(one -> from == null || name.apply(one).compareTo(from) > 0)
            .sorted(Comparator.comparing(name))
            .toList();
    if (rest.size() <= size) {
      return new Page<>(rest, null);
    }
    List<T> page = rest.subList(0, size);
    byte[] last = name.apply(page.getLast()).getBytes(StandardCharsets.UTF_8);
    return new Page<>(page, Base64.getUrlEncoder().withoutPadding().encodeToString(last));
  }
}
