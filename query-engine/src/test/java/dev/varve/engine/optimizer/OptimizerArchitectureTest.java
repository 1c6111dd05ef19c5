package dev.varve.engine.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.varve.engine.plan.PhysicalPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules ask nodes; they never look at what class a node is. */
class OptimizerArchitectureTest {

  @Test
  void noRuleTestsForTheClassOfANode() {
    List<String> tests =
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.varve.engine.optimizer")
                .stream()
                .flatMap(rule -> rule.getInstanceofChecks().stream())
                .filter(check -> isNode(check.getRawType()))
                .map(Object::toString)
                .toList();
    assertThat(tests).isEmpty();
  }

  private static boolean isNode(JavaClass type) {
    return type.isAssignableTo(PhysicalPlan.class);
  }

  /** Pattern switches leave no trace in the class file that says what they test for. */
  @Test
  void noRuleSwitchesOverNodes() throws IOException {
    Path module = Files.exists(Path.of("src/main")) ? Path.of("") : Path.of("query-engine");
    Pattern cases =
        Pattern.compile(
            "case \\w+Exec\\b|instanceof \\w+Exec\\b|getClass\\(\\) ==|\\.name\\(\\)\\.equals\\(\"");
    try (Stream<Path> files =
        Files.list(module.resolve("src/main/java/dev/varve/engine/optimizer"))) {
      for (Path file : files.toList()) {
        String code = Files.readString(file);
        assertThat(
                cases
                    .matcher(code)
                    .results()
                    .map(match -> match.group())
                    .filter(text -> !text.startsWith(".name()"))
                    .toList())
            .as("%s", file)
            .isEmpty();
      }
    }
  }
}
