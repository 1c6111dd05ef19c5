package dev.varve.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import dev.varve.engine.plan.PhysicalPlan;

/**
 * The engine's structure: packages form no cycle, and nothing reaches against the way of a query.
 */
@AnalyzeClasses(packages = "dev.varve.engine", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule PACKAGES_FORM_NO_CYCLE =
      slices().matching("dev.varve.engine.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_ENGINE_KNOWS_NEITHER_CATALOG_NOR_WRITER_NOR_SERVICE =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.varve.catalog..",
              "dev.varve.writer..",
              "dev.varve.service..",
              "org.springframework..");

  @ArchTest
  static final ArchRule FOUNDATIONS_KNOW_NOTHING_ABOVE_THEM =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.varve.engine.type..",
              "dev.varve.engine.batch..",
              "dev.varve.engine.memory..",
              "dev.varve.engine.ordering..",
              "dev.varve.engine.port..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.varve.engine.expr..",
              "dev.varve.engine.plan..",
              "dev.varve.engine.operator..",
              "dev.varve.engine.optimizer..",
              "dev.varve.engine.scan..",
              "dev.varve.engine.sql..",
              "dev.varve.engine.runtime..");

  @ArchTest
  static final ArchRule CALCITE_STAYS_IN_FRONT_OF_THE_PHYSICAL_PLAN =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.varve.engine.expr..",
              "dev.varve.engine.kernel..",
              "dev.varve.engine.properties..",
              "dev.varve.engine.plan..",
              "dev.varve.engine.operator..",
              "dev.varve.engine.optimizer..",
              "dev.varve.engine.runtime..",
              "dev.varve.engine.scan..",
              "dev.varve.engine.parquet..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.calcite..");

  @ArchTest
  static final ArchRule THE_OPTIMIZER_ASKS_AND_NEVER_TESTS_FOR_A_NODES_CLASS =
      ArchRuleDefinition.classes()
          .that()
          .resideInAPackage("dev.varve.engine.optimizer..")
          .should(testForNoConcreteNode());

  @ArchTest
  static final ArchRule THE_SCAN_DECODES_PAGES_ITSELF =
      noClasses()
          .that()
          .resideInAnyPackage("dev.varve.engine.scan..", "dev.varve.engine.parquet..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "org\\.apache\\.parquet\\.(hadoop\\.(ParquetReader|InternalParquetRecordReader|api\\..*)"
                  + "|io\\.(RecordReader|MessageColumnIO|ColumnIOFactory|api\\.(RecordMaterializer|.*Converter))"
                  + "|column\\.(ColumnReader|ColumnReadStore|impl\\..*)|column\\.values\\..*ValuesReader.*)");

  private static ArchCondition<JavaClass> testForNoConcreteNode() {
    return new ArchCondition<>("not test for a concrete plan node") {
      @Override
      public void check(JavaClass rule, ConditionEvents events) {
        for (InstanceofCheck check : rule.getInstanceofChecks()) {
          JavaClass tested = check.getRawType();
          if (tested.isAssignableTo(PhysicalPlan.class)
              && !tested.isInterface()
              && !tested.getModifiers().contains(JavaModifier.ABSTRACT)) {
            events.add(SimpleConditionEvent.violated(rule, check.toString()));
          }
        }
      }
    };
  }
}
