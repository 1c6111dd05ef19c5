package dev.varve.engine.statement;

import dev.varve.engine.connector.CatalogSet;
import dev.varve.engine.connector.lake.LakeConnector;
import dev.varve.engine.logical.LogicalPlanner;
import dev.varve.engine.optimizer.PhysicalOptimizer;
import dev.varve.engine.physical.PhysicalPlanner;
import dev.varve.engine.physical.RexTranslator;
import dev.varve.engine.port.AccessControl;
import dev.varve.engine.port.Procedure;
import dev.varve.engine.port.SinkFactory;
import dev.varve.engine.scan.ScanServices;
import dev.varve.engine.sql.SqlFrontEnd;
import dev.varve.layout.LayoutIndex;
import dev.varve.layout.upkeep.SnapshotPins;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.io.FileIO;

/** What statements are made with; shared by all of them. */
public record StatementServices(
    SqlFrontEnd frontEnd,
    LogicalPlanner logicalPlanner,
    PhysicalPlanner physicalPlanner,
    RexTranslator expressions,
    PhysicalOptimizer optimizer,
    PlanCache planCache,
    CatalogSet catalogs,
    Map<String, LakeConnector> lakes,
    List<String> functionNames,
    Map<String, Procedure> procedures,
    SinkFactory sinks,
    AccessControl accessControl,
    LayoutIndex layoutIndex,
    SnapshotPins pins,
    FileIO fileIo,
    ScanServices scan) {
  public StatementServices {
    functionNames = List.copyOf(functionNames);
    lakes = Map.copyOf(lakes);
    procedures = Map.copyOf(procedures);
  }
}
