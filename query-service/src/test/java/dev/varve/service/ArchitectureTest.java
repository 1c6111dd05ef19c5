package dev.varve.service;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which module may know which, and that the packages of the service have an order. */
@AnalyzeClasses(packages = "dev.varve", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule LAYOUT_KNOWS_NOBODY =
      noClasses()
          .that()
          .resideInAPackage("dev.varve.layout..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.varve.engine..",
              "dev.varve.catalog..",
              "dev.varve.writer..",
              "dev.varve.service..",
              "org.springframework..");

  @ArchTest
  static final ArchRule ENGINE_KNOWS_ONLY_LAYOUT =
      noClasses()
          .that()
          .resideInAPackage("dev.varve.engine..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.varve.catalog..",
              "dev.varve.writer..",
              "dev.varve.service..",
              "org.springframework..",
              "jakarta.servlet..");

  @ArchTest
  static final ArchRule CATALOG_KNOWS_ONLY_LAYOUT =
      noClasses()
          .that()
          .resideInAPackage("dev.varve.catalog..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.varve.engine..", "dev.varve.writer..", "dev.varve.service..");

  @ArchTest
  static final ArchRule WRITER_USES_THE_ENGINES_SEAMS_ONLY =
      noClasses()
          .that()
          .resideInAPackage("dev.varve.writer..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.varve.catalog..",
              "dev.varve.service..",
              "dev.varve.engine",
              "dev.varve.engine.sql..",
              "dev.varve.engine.logical..",
              "dev.varve.engine.plan..",
              "dev.varve.engine.properties..",
              "dev.varve.engine.physical..",
              "dev.varve.engine.optimizer..",
              "dev.varve.engine.operator..",
              "dev.varve.engine.kernel..",
              "dev.varve.engine.expr..",
              "dev.varve.engine.function..",
              "dev.varve.engine.scan..",
              "dev.varve.engine.parquet..",
              "dev.varve.engine.source..",
              "dev.varve.engine.connector..",
              "dev.varve.engine.runtime..",
              "org.springframework..");

  @ArchTest
  static final ArchRule THE_SERVICE_HAS_NO_CYCLES =
      slices().matching("dev.varve.service.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule SHELL_AND_DEMO_USE_THE_ENGINE_OVER_REST_ONLY =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.varve.service.client..", "dev.varve.service.shell..", "dev.varve.service.demo..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.varve.engine..", "dev.varve.writer..", "dev.varve.catalog..");
}
