package dev.varve.service.demo;

import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import dev.varve.service.home.StartFailure;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Loads TPC-H through Varve's own writer; what a home holds already is not loaded again. */
final class Loader {
  private final VarveClient client;
  private final Screen screen;
  private final Path scaleFile;

  Loader(VarveClient client, Screen screen, Home home) {
    this.client = client;
    this.screen = screen;
    this.scaleFile = home.root().resolve("demo.scale");
  }

  /** Answers the scale of the data that is there afterwards. */
  BigDecimal load(BigDecimal wanted) {
    BigDecimal scale = remember(wanted);
    if (scale.compareTo(wanted) != 0) {
      screen.line(
          "This home holds TPC-H at scale "
              + scale.toPlainString()
              + ", which is kept. For scale "
              + wanted.toPlainString()
              + " choose another --home.");
    }
    run("CREATE SCHEMA IF NOT EXISTS " + DemoTable.SCHEMA);
    Set<String> loaded = new HashSet<>();
    run("SHOW TABLES FROM " + DemoTable.SCHEMA)
        .rows()
        .forEach(row -> loaded.add(row.get(0).asString()));
    boolean all = DemoTable.ALL.stream().allMatch(t -> loaded.contains(t.name()));
    if (all) {
      screen.line("TPC-H at scale " + scale.toPlainString() + " is loaded already.");
      return scale;
    }
    screen.line(
        "Loading TPC-H at scale " + scale.toPlainString() + " into " + DemoTable.SCHEMA + ":");
    for (DemoTable table : DemoTable.ALL) {
      if (!loaded.contains(table.name())) {
        load(table, scale);
      }
    }
    return scale;
  }

  private void load(DemoTable table, BigDecimal scale) {
    Answer answer =
        Answer.of(
            client,
            table.createStatement(scale),
            page ->
                screen.progress(
                    String.format(
                        Locale.ROOT,
                        "  %-9s %,d rows read",
                        table.name(),
                        page.progress().path("rowsRead").asLong(0))));
    screen.clearProgress();
    long rows = run("SELECT count(*) FROM " + DemoTable.SCHEMA + "." + table.name()).number();
    screen.line(
        String.format(
            Locale.ROOT,
            "  %-9s %,9d rows ordered by %-22s %5.1f s",
            table.name(),
            rows,
            table.orderedBy(),
            answer.elapsedSeconds()));
  }

  private BigDecimal remember(BigDecimal wanted) {
    try {
      if (Files.exists(scaleFile)) {
        return new BigDecimal(Files.readString(scaleFile).strip());
      }
      Files.writeString(scaleFile, wanted.toPlainString() + "\n");
      return wanted;
    } catch (IOException | NumberFormatException e) {
      throw new StartFailure("cannot use " + scaleFile + ": " + e.getMessage(), e);
    }
  }

  private Answer run(String sql) {
    return Answer.of(client, sql, page -> {});
  }
}
