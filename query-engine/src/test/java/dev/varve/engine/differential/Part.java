package dev.varve.engine.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A piece of a statement, which knows the pieces that may stand in its place and are smaller. */
sealed interface Part permits Part.Text, Expr, Query {
  String sql();

  /** Text that is what it is. */
  record Text(String sql) implements Part {}

  /** The list without one of its elements, or with a smaller one in its place. */
  static <T> List<List<T>> smaller(List<T> list, Function<T, ? extends List<? extends T>> each) {
    List<List<T>> all = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      List<T> without = new ArrayList<>(list);
      without.remove(i);
      all.add(without);
    }
    all.addAll(smallerElements(list, each));
    return all;
  }

  /** The list with a smaller element in the place of one. */
  static <T> List<List<T>> smallerElements(
      List<T> list, Function<T, ? extends List<? extends T>> each) {
    List<List<T>> all = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      for (T element : each.apply(list.get(i))) {
        List<T> with = new ArrayList<>(list);
        with.set(i, element);
        all.add(with);
      }
    }
    return all;
  }
}
