package dev.varve.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Options of a command: {@code --name value}, {@code --name=value}, or a flag. */
public final class Arguments {
  private final String command;
  private final Map<String, String> values = new HashMap<>();

  private Arguments(String command) {
    this.command = command;
  }

  /**
   * @param valued options that need a value
   * @param flags options that take none
   * @throws BadUsage for anything else, an option without its value, or one given twice
   */
  public static Arguments parse(
      String command, List<String> words, Set<String> valued, Set<String> flags) {
    Arguments arguments = new Arguments(command);
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      String value;
      if (flags.contains(name)) {
        if (equals >= 0) {
          throw new BadUsage(name + " takes no value");
        }
        value = "true";
      } else if (valued.contains(name)) {
        if (equals >= 0) {
          value = word.substring(equals + 1);
        } else if (i + 1 < words.size() && !words.get(i + 1).startsWith("--")) {
          value = words.get(++i);
        } else {
          throw new BadUsage(name + " needs a value");
        }
      } else {
        List<String> known = new ArrayList<>(valued);
        known.addAll(flags);
        known.sort(null);
        throw new BadUsage(
            "bench "
                + command
                + " does not know '"
                + word
                + "'; it knows "
                + String.join(", ", known));
      }
      if (arguments.values.put(name, value) != null) {
        throw new BadUsage(name + " is given twice");
      }
    }
    return arguments;
  }

  public boolean has(String flag) {
    return values.containsKey(flag);
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public Optional<Path> path(String name) {
    return text(name).map(Path::of);
  }

  /** One of some words. */
  public Optional<String> choice(String name, List<String> choices) {
    Optional<String> value = text(name);
    value.ifPresent(
        word -> {
          if (!choices.contains(word)) {
            throw new BadUsage(name + " " + word + " is not one of " + String.join(", ", choices));
          }
        });
    return value;
  }

  public long wholeNumber(String name, long defaultValue, long least, long most) {
    Optional<String> value = text(name);
    if (value.isEmpty()) {
      return defaultValue;
    }
    try {
      long number = Long.parseLong(value.get());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new BadUsage(
        name + " " + value.get() + " is not a whole number from " + least + " to " + most);
  }

  public double number(String name, double least, double most) {
    String value =
        text(name)
            .orElseThrow(
                () -> new BadUsage("bench " + command + " needs " + name + "; see --help"));
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new BadUsage(name + " " + value + " is not a number from " + least + " to " + most);
  }
}
