package dev.varve.service.demo;

import dev.varve.service.client.ServerError;
import dev.varve.service.client.VarveClient;
import dev.varve.service.home.Home;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.process.VarveProcess;
import java.math.BigDecimal;
import java.util.List;

/** {@code varve demo}: starts a service, loads it, shows it, and stays up unless told not to. */
public final class DemoCommand {
  private final Home home;
  private final ServiceConfiguration configuration;
  private final BigDecimal scale;
  private final boolean once;

  /**
   * @param once whether it ends after the showcase
   */
  public DemoCommand(
      Home home, ServiceConfiguration configuration, BigDecimal scale, boolean once) {
    this.home = home;
    this.configuration = configuration;
    this.scale = scale;
    this.once = once;
  }

  /**
   * Runs the demo; {@code waitForEnd} runs while the service is still up, if it is to stay.
   *
   * @return the exit code
   */
  public int run(Runnable waitForEnd) {
    Screen screen = new Screen();
    try (VarveProcess process =
            VarveProcess.start(new VarveProcess.Options(home, configuration, true, false, true));
        VarveClient client =
            VarveClient.withToken(process.server().url(), process.server().token())) {
      screen.line("Varve runs at " + process.server().url() + ", home " + home.root());
      client.openSession();
      List<String> failures;
      try {
        new Loader(client, screen, home).load(scale);
        failures = new Showcase(client, screen).run();
      } catch (ServerError e) {
        failures = List.of(String.valueOf(e.getMessage()));
      }
      if (!failures.isEmpty()) {
        screen.line("");
        failures.forEach(f -> screen.line("FAILED: " + f));
        return 1;
      }
      if (once) {
        screen.heading("Everything above was checked.", "The data stays in " + home.root());
      } else {
        urls(screen, process);
        waitForEnd.run();
      }
      return 0;
    }
  }

  private void urls(Screen screen, VarveProcess process) {
    String url = process.server().url().toString();
    screen.heading("Everything above was checked. Go on by yourself:", "");
    screen.line("  SQL shell     varve sql --home '" + home.root() + "'");
    screen.line(
        "  REST          curl -s -H 'Content-Type: application/json' -d '{\"sql\":\"SELECT 1\"}' "
            + url
            + "/api/v1/queries");
    screen.line("  Iceberg REST  " + url + "/iceberg   (Spark, PyIceberg, Trino, DuckDB)");
    process.jdbcUrl().ifPresent(jdbc -> screen.line("  Flight SQL    " + jdbc));
    screen.line("  Health        " + url + "/actuator/health");
    screen.line("");
    screen.line("Ctrl-C stops it.");
  }
}
