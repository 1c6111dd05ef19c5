package dev.varve.layout;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.varve.layout", importOptions = ImportOption.DoNotIncludeTests.class)
class LayoutArchitectureTest {
  @ArchTest
  static final ArchRule knowsNoOtherModule =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.varve.engine..",
              "dev.varve.catalog..",
              "dev.varve.writer..",
              "dev.varve.service..");

  @ArchTest
  static final ArchRule onlyFileIoKnowsIceberg =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.varve.layout.io..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.iceberg..");

  @ArchTest
  static final ArchRule noHadoop =
      noClasses().should().dependOnClassesThat().resideInAPackage("org.apache.hadoop..");

  @ArchTest
  static final ArchRule errorsStandAlone =
      classes()
          .that()
          .resideInAPackage("dev.varve.layout.error..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("dev.varve.layout.error..", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule noCyclesBetweenKeysErrorsAndFiles =
      slices().matching("dev.varve.layout.(*)..").should().beFreeOfCycles();
}
