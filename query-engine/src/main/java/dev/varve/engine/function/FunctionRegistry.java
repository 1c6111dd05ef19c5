package dev.varve.engine.function;

import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The scalar functions by name. Immutable, safe for concurrent use. */
public final class FunctionRegistry {
  private static final FunctionRegistry STANDARD = create();

  private final Map<String, FunctionDefinition> definitions;

  private FunctionRegistry(List<FunctionDefinition> definitions) {
    Map<String, FunctionDefinition> byName = new TreeMap<>();
    for (FunctionDefinition definition : definitions) {
      if (byName.put(definition.name(), definition) != null) {
        throw new IllegalStateException("two functions are named " + definition.name());
      }
    }
    this.definitions = byName;
  }

  public static FunctionRegistry standard() {
    return STANDARD;
  }

  private static FunctionRegistry create() {
    List<FunctionDefinition> all = new ArrayList<>();
    all.addAll(MathFunctions.all());
    all.addAll(StringFunctions.all());
    all.addAll(DateTimeFunctions.all());
    all.addAll(SystemFunctions.all());
    return new FunctionRegistry(all);
  }

  /** The function of this name in any case; null if there is none. */
  public @Nullable FunctionDefinition find(String name) {
    return definitions.get(name.toLowerCase(Locale.ROOT));
  }

  /** The meaning of a call; null if there is no such function or it does not take the types. */
  public @Nullable Resolution resolve(String name, List<DataType> arguments) {
    FunctionDefinition definition = find(name);
    return definition == null ? null : definition.resolve(arguments);
  }

  /** Lower case, sorted; names with a {@code $} are the engine's own and no statement's. */
  public List<String> names() {
    return definitions.keySet().stream().filter(name -> name.indexOf('$') < 0).toList();
  }

  public List<FunctionDefinition> definitions() {
    return List.copyOf(definitions.values());
  }
}
