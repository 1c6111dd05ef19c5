package dev.varve.writer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

@AnalyzeClasses(packages = "dev.varve.writer", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String ENGINE = "dev.varve.engine.";
  private static final Set<String> LENT =
      Set.of("batch", "type", "ordering", "memory", "port", "config");

  @ArchTest
  static final ArchRule usesOnlyWhatTheEngineLends =
      noClasses()
          .should()
          .dependOnClassesThat(
              DescribedPredicate.describe(
                  "are the engine's own business", ArchitectureTest::isInnerEngine));

  @ArchTest
  static final ArchRule knowsNoCatalogAndNoService =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.varve.catalog..", "dev.varve.service..", "org.springframework..");

  @ArchTest
  static final ArchRule encodesByItself =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.apache.hadoop..");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.varve.writer.(*)..").should().beFreeOfCycles();

  private static boolean isInnerEngine(JavaClass type) {
    String name = type.getPackageName();
    if (!name.startsWith("dev.varve.engine")) {
      return false;
    }
    return !name.startsWith(ENGINE) || !LENT.contains(name.substring(ENGINE.length()));
  }
}
