package dev.varve.engine.sql;

import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Refuses, with its place, what the grammar accepts and the engine cannot run. */
final class UnsupportedSyntax extends SqlBasicVisitor<@Nullable Void> {
  static void check(SqlNode query) {
    query.accept(new UnsupportedSyntax());
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    String feature =
        switch (call.getKind()) {
          case OVER, WINDOW -> "window functions";
          case MATCH_RECOGNIZE -> "MATCH_RECOGNIZE";
          case PIVOT -> "PIVOT";
          case UNPIVOT -> "UNPIVOT";
          case UNNEST -> "UNNEST";
          case LATERAL -> "LATERAL";
          case TABLESAMPLE -> "TABLESAMPLE";
          case SNAPSHOT -> "FOR SYSTEM_TIME AS OF";
          case COLLECTION_TABLE -> "table functions";
          case ARRAY_VALUE_CONSTRUCTOR, ARRAY_QUERY_CONSTRUCTOR -> "arrays";
          case MAP_VALUE_CONSTRUCTOR, MAP_QUERY_CONSTRUCTOR -> "maps";
          case MULTISET_VALUE_CONSTRUCTOR, MULTISET_QUERY_CONSTRUCTOR, COLLECT -> "multisets";
          case ITEM, DOT -> "elements of nested values";
          case LAMBDA -> "lambda expressions";
          case WITHIN_GROUP, WITHIN_DISTINCT -> "WITHIN GROUP";
          case JOIN -> asOf((SqlJoin) call);
          default -> null;
        };
    if (feature != null) {
      throw SyntaxErrors.unsupported(
          Positions.start(call),
          feature + (feature.endsWith("s") ? " are" : " is") + " not supported yet");
    }
    return super.visit(call);
  }

  private static @Nullable String asOf(SqlJoin join) {
    return join.getJoinType() == JoinType.ASOF || join.getJoinType() == JoinType.LEFT_ASOF
        ? "ASOF JOIN"
        : null;
  }
}
