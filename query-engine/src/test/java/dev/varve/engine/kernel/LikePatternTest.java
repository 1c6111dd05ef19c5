package dev.varve.engine.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LikePatternTest {
  private static boolean matches(String text, String pattern) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] surrounded = new byte[bytes.length + 2];
    System.arraycopy(bytes, 0, surrounded, 1, bytes.length);
    return LikePattern.compile(pattern, "\\", false).matches(surrounded, 1, bytes.length + 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void matchesWhatTheRegularExpressionMatches(long seed) {
    Random random = new Random(seed);
    String[] parts = {"a", "b", "é", "日", "%", "_", "%", "\\%", "\\_", "\\\\"};
    String[] letters = {"a", "b", "é", "日", "%", "_", "\\"};
    for (int i = 0; i < 20_000; i++) {
      StringBuilder pattern = new StringBuilder();
      StringBuilder regex = new StringBuilder();
      for (int k = random.nextInt(6); k > 0; k--) {
        String part = parts[random.nextInt(parts.length)];
        pattern.append(part);
        regex.append(
            switch (part) {
              case "%" -> ".*";
              case "_" -> ".";
              default -> Pattern.quote(part.length() > 1 ? part.substring(1) : part);
            });
      }
      StringBuilder text = new StringBuilder();
      for (int k = random.nextInt(8); k > 0; k--) {
        text.append(letters[random.nextInt(letters.length)]);
      }
      boolean expected = Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
      assertThat(matches(text.toString(), pattern.toString()))
          .as("seed %s: '%s' like '%s'", seed, text, pattern)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "foo\\_%, foo_, true, false",
    "foo_%, foo, false, false",
    "foo%, foo, true, false",
    "foo, foo, false, true",
    "%foo, '', false, false",
    "a\\%b, a%b, false, true",
    "foo\\\\%, foo\\, true, false",
    "'', '', false, true",
    "a%b, a, false, false"
  })
  void knowsItsPrefixWithEscapesUndone(
      String pattern, String prefix, boolean prefixOnly, boolean exact) {
    LikePattern compiled = LikePattern.compile(pattern, "\\", false);
    assertThat(new String(compiled.prefix(), StandardCharsets.UTF_8)).isEqualTo(prefix);
    assertThat(compiled.isPrefixOnly()).isEqualTo(prefixOnly);
    assertThat(compiled.isExact()).isEqualTo(exact);
  }

  @Test
  void hasNoPrefixWhereCaseDoesNotMatter() {
    LikePattern compiled = LikePattern.compile("foo%", "\\", true);
    assertThat(compiled.prefix()).isEmpty();
    assertThat(compiled.isPrefixOnly()).isFalse();
  }
}
