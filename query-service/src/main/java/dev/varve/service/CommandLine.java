package dev.varve.service;

import dev.varve.service.home.ConfigurationFile;
import dev.varve.service.home.Home;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.home.StartFailure;
import dev.varve.service.shell.OutputFormat;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The arguments of the launcher, checked. */
final class CommandLine {
  private static final List<String> COMMANDS = List.of("demo", "start", "sql");

  final String command;
  Home home = new Home(Path.of(".varve"));
  @Nullable Integer port;
  @Nullable Integer flightPort;
  @Nullable Integer postgresPort;
  final List<String> fileRoots = new ArrayList<>();
  BigDecimal scale = new BigDecimal("0.1");
  boolean once;
  @Nullable URI url;
  @Nullable String user;
  @Nullable Path file;
  @Nullable String text;
  OutputFormat format = OutputFormat.TABLE;

  private CommandLine(String command) {
    this.command = command;
  }

  static CommandLine parse(String[] arguments) {
    if (arguments.length == 0 || !COMMANDS.contains(arguments[0])) {
      throw new StartFailure("the command is one of " + String.join(", ", COMMANDS));
    }
    CommandLine line = new CommandLine(arguments[0]);
    for (int i = 1; i < arguments.length; i++) {
      String argument = arguments[i];
      int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
      String name = equals < 0 ? argument : argument.substring(0, equals);
      if (line.flag(name)) {
        continue;
      }
      if (!name.startsWith("-")) {
        line.positional(name);
        continue;
      }
      if (equals < 0 && ++i >= arguments.length) {
        throw new StartFailure("option " + name + " needs a value");
      }
      line.option(name, equals < 0 ? arguments[i] : argument.substring(equals + 1));
    }
    return line;
  }

  private boolean flag(String name) {
    switch (name) {
      case "--once" -> {
        only("demo", name);
        once = true;
      }
      case "--csv" -> {
        only("sql", name);
        format = OutputFormat.CSV;
      }
      case "--json" -> {
        only("sql", name);
        format = OutputFormat.JSON;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void positional(String value) {
    if (!command.equals("sql") || text != null) {
      throw new StartFailure("unexpected argument '" + value + "'; see varve --help");
    }
    text = value;
  }

  private void option(String name, String value) {
    switch (name) {
      case "--home" -> home = new Home(Path.of(value));
      case "--memory" -> {
        // The launcher has made it the heap.
      }
      case "--port" -> port = port(name, value);
      case "--flight-port" ->
          flightPort = value.equals("off") ? ServiceConfiguration.OFF : port(name, value);
      case "--postgres-port" ->
          postgresPort = value.equals("off") ? ServiceConfiguration.OFF : port(name, value);
      case "--files-root" -> fileRoots.add(filesRoot(value));
      case "--scale" -> {
        only("demo", name);
        scale = scale(value);
      }
      case "-f", "--file" -> {
        only("sql", name);
        file = Path.of(value);
      }
      case "--url" -> {
        only("sql", name);
        url = url(value);
      }
      case "--user" -> {
        only("sql", name);
        user = value;
      }
      default -> throw new StartFailure("unknown option " + name + "; see varve --help");
    }
  }

  private void only(String wanted, String name) {
    if (!command.equals(wanted)) {
      throw new StartFailure("option " + name + " belongs to varve " + wanted);
    }
  }

  private static String filesRoot(String value) {
    try {
      return ConfigurationFile.root(value);
    } catch (StartFailure e) {
      throw new StartFailure("--files-root: " + e.getMessage(), e);
    }
  }

  private static int port(String name, String value) {
    try {
      int port = Integer.parseInt(value);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Falls through to the same answer.
    }
    throw new StartFailure(name + " " + value + " is not a port from 0 to 65535");
  }

  private static BigDecimal scale(String value) {
    try {
      BigDecimal scale = new BigDecimal(value);
      if (scale.compareTo(new BigDecimal("0.01")) >= 0
          && scale.compareTo(new BigDecimal(1000)) <= 0) {
        return scale.stripTrailingZeros();
      }
    } catch (NumberFormatException e) {
      // Falls through to the same answer.
    }
    throw new StartFailure("--scale " + value + " is not a number from 0.01 to 1000");
  }

  private static URI url(String value) {
    try {
      URI url = URI.create(value);
      if (("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
          && url.getHost() != null) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the same answer.
    }
    throw new StartFailure("--url " + value + " is not an address such as http://127.0.0.1:8181");
  }

  /** The configuration of the home, with what the command line says and the usual file roots. */
  ServiceConfiguration configuration() {
    ServiceConfiguration configuration = ConfigurationFile.read(home.configuration());
    Integer chosen = port;
    if (chosen != null) {
      configuration = configuration.withPort(chosen);
    }
    Integer flight = flightPort;
    if (flight != null) {
      configuration = configuration.withFlightPort(flight);
    }
    Integer postgres = postgresPort;
    if (postgres != null) {
      configuration = configuration.withPostgresPort(postgres);
    }
    List<Path> roots = new ArrayList<>(configuration.fileRoots());
    roots.addAll(ConfigurationFile.directories(fileRoots));
    roots.add(ConfigurationFile.realDirectory("."));
    roots.add(ConfigurationFile.realDirectory(home.create().root().toString()));
    return configuration
        .withFileRoots(roots)
        .withStorage(configuration.storage().withMoreRoots(fileRoots));
  }
}
