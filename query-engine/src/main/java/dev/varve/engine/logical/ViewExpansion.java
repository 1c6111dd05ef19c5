package dev.varve.engine.logical;

import dev.varve.engine.sql.QueryValidator;
import dev.varve.engine.sql.SchemaResolver;
import dev.varve.engine.sql.SqlFrontEnd;
import dev.varve.engine.sql.Statement;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * Puts views' queries in the place of their names. A query is read as its definer wrote it: names
 * mean what they meant where the definer was. Its columns become those that the view has; whoever
 * asks needs access to the view and to what it reads. Confined to one statement.
 */
final class ViewExpansion implements RelOptTable.ViewExpander {
  /**
   * What queries of views are read with.
   *
   * @param defined the full name of the view that is being defined, if one is: it must not lead
   *     back to itself
   */
  record Source(
      SqlFrontEnd frontEnd,
      QueryValidator validator,
      SchemaResolver tables,
      @Nullable String defined) {}

  private final RelOptCluster cluster;
  private final Source source;

  /** The views that are being expanded, the outermost first. */
  private final Deque<String> open = new ArrayDeque<>();

  ViewExpansion(RelOptCluster cluster, Source source) {
    this.cluster = cluster;
    this.source = source;
    if (source.defined() != null) {
      open.addLast(source.defined());
    }
  }

  @Override
  public RelRoot expandView(
      RelDataType rowType, String sql, List<String> place, @Nullable List<String> path) {
    String name = path == null ? "" : String.join(".", path);
    if (open.contains(name)) {
      List<String> cycle = new ArrayList<>(open);
      cycle.add(name);
      throw new VarveException(
          ErrorCode.INVALID_VIEW,
          "view '" + name + "' leads back to itself: " + String.join(" -> ", cycle));
    }
    open.addLast(name);
    try {
      return RelRoot.of(expand(rowType, sql, place, name), SqlKind.SELECT);
    } catch (VarveException e) {
      throw inView(name, e);
    } finally {
      open.removeLast();
    }
  }

  private RelNode expand(RelDataType rowType, String sql, List<String> place, String name) {
    if (!(source.frontEnd().parse(sql) instanceof Statement.Query query)) {
      throw stale("its text is not a query");
    }
    SchemaResolver tables = source.tables().within(place.get(0), place.get(1));
    QueryValidator.Validated validated =
        source.validator().validate(query.query(), tables, List.of());
    RelNode rel = AlgebraConverter.convert(validated, cluster, this).project();
    List<RelDataTypeField> declared = rowType.getFieldList();
    List<RelDataTypeField> actual = rel.getRowType().getFieldList();
    if (declared.size() != actual.size()) {
      throw stale(
          "it was defined with "
              + declared.size()
              + " columns, and its query now has "
              + actual.size());
    }
    for (int i = 0; i < declared.size(); i++) {
      if (actual.get(i).getType().isNullable() && !declared.get(i).getType().isNullable()) {
        throw stale("its column '" + declared.get(i).getName() + "' can now be null");
      }
    }
    return RelOptUtil.createCastRel(rel, rowType, true);
  }

  private static VarveException stale(String reason) {
    return new VarveException(
        ErrorCode.INVALID_VIEW, reason, null, "CREATE OR REPLACE VIEW defines it anew", null);
  }

  /** Positions count in the view's text, so they are none in the statement. */
  private static VarveException inView(String name, VarveException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.startsWith("view '")
        ? failure
        : new VarveException(
            failure.code(), "view '" + name + "': " + message, null, failure.hint(), failure);
  }
}
