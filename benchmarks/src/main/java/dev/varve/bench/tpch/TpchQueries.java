package dev.varve.bench.tpch;

import dev.varve.bench.BadUsage;
import dev.varve.bench.contest.Case;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The 22 queries, with the parameters of the specification's validation runs. */
final class TpchQueries {
  private static final int COUNT = 22;
  private static final Pattern NAME = Pattern.compile("q?0?(\\d{1,2})");

  private TpchQueries() {}

  static List<Case> all() {
    List<Case> queries = new ArrayList<>();
    for (int number = 1; number <= COUNT; number++) {
      queries.add(query(number));
    }
    return queries;
  }

  /**
   * @param list such as {@code q01,q03} or {@code 1,3}
   */
  static List<Case> of(String list) {
    TreeSet<Integer> numbers = new TreeSet<>();
    for (String word : list.split(",")) {
      Matcher name = NAME.matcher(word.strip());
      if (!name.matches()
          || Integer.parseInt(name.group(1)) < 1
          || Integer.parseInt(name.group(1)) > COUNT) {
        throw new BadUsage("--queries: '" + word + "' is none of q01 to q" + COUNT);
      }
      numbers.add(Integer.parseInt(name.group(1)));
    }
    return numbers.stream().map(TpchQueries::query).toList();
  }

  private static Case query(int number) {
    String name = "q%02d".formatted(number);
    try (InputStream in = TpchQueries.class.getResourceAsStream("/tpch/" + name + ".sql")) {
      if (in == null) {
        throw new IllegalStateException("no resource for " + name);
      }
      return new Case(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
