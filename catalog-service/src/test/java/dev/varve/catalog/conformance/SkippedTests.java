package dev.varve.catalog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Fails the class when other tests than the expected ones were skipped. */
final class SkippedTests implements TestWatcher, AfterAllCallback {
  private final Set<String> expected;
  private final Set<String> skipped = new TreeSet<>();

  /**
   * @param expected the names of the methods that are to be skipped
   */
  SkippedTests(Set<String> expected) {
    this.expected = expected;
  }

  @Override
  public void testAborted(ExtensionContext context, @Nullable Throwable cause) {
    skipped.add(context.getRequiredTestMethod().getName());
  }

  @Override
  public void testDisabled(ExtensionContext context, Optional<String> reason) {
    skipped.add(context.getRequiredTestMethod().getName());
  }

  @Override
  public void afterAll(ExtensionContext context) {
    assertThat(skipped).as("tests that the suite skipped").isEqualTo(new TreeSet<>(expected));
  }
}
