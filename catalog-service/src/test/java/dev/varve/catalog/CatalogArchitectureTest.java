package dev.varve.catalog;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.varve.catalog",
    importOptions = ImportOption.DoNotIncludeTests.class)
class CatalogArchitectureTest {
  @ArchTest
  static final ArchRule knowsNeitherEngineNorWriterNorService =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.varve.engine..", "dev.varve.writer..", "dev.varve.service..");

  @ArchTest
  static final ArchRule layers =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("request")
          .definedBy("dev.varve.catalog.request..")
          .layer("store")
          .definedBy("dev.varve.catalog.store..")
          .layer("index")
          .definedBy("dev.varve.catalog.index..")
          .layer("table")
          .definedBy("dev.varve.catalog.table..")
          .layer("scan")
          .definedBy("dev.varve.catalog.scan..")
          .layer("background")
          .definedBy("dev.varve.catalog.background..")
          .layer("rest")
          .definedBy("dev.varve.catalog.rest..")
          .layer("assembly")
          .definedBy("dev.varve.catalog")
          .layer("spring")
          .definedBy("dev.varve.catalog.spring..")
          .whereLayer("request")
          .mayOnlyBeAccessedByLayers("store", "table", "rest")
          .whereLayer("spring")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("assembly")
          .mayOnlyBeAccessedByLayers("spring")
          .whereLayer("rest")
          .mayOnlyBeAccessedByLayers("spring")
          .whereLayer("table")
          .mayOnlyBeAccessedByLayers("rest", "assembly", "spring")
          .whereLayer("index")
          .mayOnlyBeAccessedByLayers("table", "scan", "background", "assembly")
          .whereLayer("scan")
          .mayOnlyBeAccessedByLayers("rest", "assembly", "spring")
          .whereLayer("background")
          .mayOnlyBeAccessedByLayers("assembly", "spring")
          .whereLayer("store")
          .mayOnlyBeAccessedByLayers("index", "table", "scan", "background", "assembly", "spring");

  @ArchTest
  static final ArchRule onlyRestAndSpringKnowSpring =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.varve.catalog.rest..", "dev.varve.catalog.spring..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.springframework..");

  @ArchTest
  static final ArchRule noCycles =
      slices().matching("dev.varve.catalog.(*)..").should().beFreeOfCycles();
}
