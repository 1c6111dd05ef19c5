package dev.varve.engine.operator;

final class JoinSpec {
  static JoinSpec of(Object join) {
    return new JoinSpec();
  }
}
