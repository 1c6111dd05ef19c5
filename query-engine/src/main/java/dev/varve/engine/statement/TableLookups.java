package dev.varve.engine.statement;

import dev.varve.engine.port.ObjectName;
import dev.varve.engine.type.Schema;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a statement asked of the catalogs while its names were resolved, with the answers: a plan
 * made from them holds as long as the same questions have the same answers. Immutable.
 *
 * @param tables the columns of each table asked for, empty where there was none
 * @param views the version of each view asked for, empty where there was none
 * @param files the columns of the files of each pattern
 * @param missingSchemas the schemas that were not there
 */
record TableLookups(
    Map<ObjectName, Optional<Schema>> tables,
    Map<ObjectName, Optional<String>> views,
    Map<String, Schema> files,
    Set<ObjectName> missingSchemas) {
  TableLookups {
    tables = new LinkedHashMap<>(tables);
    views = new LinkedHashMap<>(views);
    files = new LinkedHashMap<>(files);
    missingSchemas = new LinkedHashSet<>(missingSchemas);
  }
}
