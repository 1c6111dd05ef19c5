package dev.varve.engine.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The columns that an expression may name: those of its own FROM and of the queries around it. */
record Scope(List<Expr> columns, Optional<Scope> outer) {
  static final Scope EMPTY = new Scope(List.of(), Optional.empty());

  static Scope of(List<Expr> columns) {
    return new Scope(columns, Optional.empty());
  }

  /** This scope around another query's columns. */
  Scope around(List<Expr> inner) {
    return new Scope(inner, Optional.of(this));
  }

  Scope and(Scope other) {
    List<Expr> both = new ArrayList<>(columns);
    both.addAll(other.columns);
    return new Scope(both, outer);
  }

  List<Expr> of(Family family) {
    return columns.stream().filter(c -> c.family() == family).toList();
  }

  boolean has(Family family) {
    return columns.stream().anyMatch(c -> c.family() == family);
  }
}
