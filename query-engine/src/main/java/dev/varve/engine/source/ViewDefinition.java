package dev.varve.engine.source;

import dev.varve.engine.type.Schema;

/**
 * A view as its catalog holds it.
 *
 * @param columns its columns, by the names that it gives them
 * @param sql the query as its definer wrote it
 * @param catalog where the definer was: names in the query that leave out a catalog mean this one
 * @param schema the same for the schema
 * @param version another one whenever anything of this changed
 */
public record ViewDefinition(
    Schema columns, String sql, String catalog, String schema, String version) {}
