package dev.varve.engine.sql;

import java.util.Collections;
import java.util.List;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
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
          case TABLESAMPLE -> "TABLESAMPLE";
          case SNAPSHOT -> "FOR SYSTEM_TIME AS OF";
          case COLLECTION_TABLE -> "table functions";
          case ARRAY_VALUE_CONSTRUCTOR, ARRAY_QUERY_CONSTRUCTOR -> "arrays";
          case MAP_VALUE_CONSTRUCTOR, MAP_QUERY_CONSTRUCTOR -> "maps";
          case MULTISET_VALUE_CONSTRUCTOR, MULTISET_QUERY_CONSTRUCTOR, COLLECT -> "multisets";
          case ITEM, DOT -> "elements of nested values";
          case LAMBDA -> "lambda expressions";
          case WITHIN_GROUP, WITHIN_DISTINCT -> "WITHIN GROUP";
          case JOIN -> unsupported((SqlJoin) call);
          default -> null;
        };
    if (feature != null) {
      throw SyntaxErrors.unsupported(
          Positions.start(call),
          feature + (feature.endsWith("s") ? " are" : " is") + " not supported yet");
    }
    return super.visit(call);
  }

  private static @Nullable String unsupported(SqlJoin join) {
    if (join.getJoinType() == JoinType.ASOF || join.getJoinType() == JoinType.LEFT_ASOF) {
      return "ASOF JOIN";
    }
    // The validator would merge the columns of the first two tables only.
    return mergesColumns(join)
            && (mergesColumnsOf(join.getLeft(), join) || mergesColumnsOf(join.getRight(), join))
        ? "USING over more than two tables"
        : null;
  }

  private static boolean mergesColumns(SqlJoin join) {
    return join.isNatural() || join.getConditionType() == JoinConditionType.USING;
  }

  private static boolean mergesColumnsOf(SqlNode node, SqlJoin outer) {
    if (!(node instanceof SqlJoin join)) {
      return false;
    }
    return (mergesColumns(join) && sharesColumn(join, outer))
        || mergesColumnsOf(join.getLeft(), outer)
        || mergesColumnsOf(join.getRight(), outer);
  }

  private static boolean sharesColumn(SqlJoin a, SqlJoin b) {
    return a.isNatural()
        || b.isNatural()
        || !Collections.disjoint(columns(a.getCondition()), columns(b.getCondition()));
  }

  private static List<String> columns(@Nullable SqlNode using) {
    return using instanceof SqlNodeList list ? SqlIdentifier.simpleNames(list) : List.of();
  }
}
