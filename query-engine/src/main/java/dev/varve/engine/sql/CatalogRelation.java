package dev.varve.engine.sql;

import java.util.List;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptSchema;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelDistribution;
import org.apache.calcite.rel.RelDistributions;
import org.apache.calcite.rel.RelReferentialConstraint;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.schema.ColumnStrategy;
import org.apache.calcite.schema.Schema;
import org.apache.calcite.schema.Statistic;
import org.apache.calcite.schema.Statistics;
import org.apache.calcite.schema.Table;
import org.apache.calcite.schema.Wrapper;
import org.apache.calcite.sql.SqlAccessType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlModality;
import org.apache.calcite.sql.validate.SqlMonotonicity;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/** A relation that a statement can name, as Calcite sees it. */
abstract sealed class CatalogRelation extends Prepare.AbstractPreparingTable
    implements Table, Wrapper permits CatalogTable, CatalogView {
  private final List<String> name;
  private final RelDataType rowType;

  CatalogRelation(List<String> name, RelDataType rowType) {
    this.name = List.copyOf(name);
    this.rowType = rowType;
  }

  @Override
  public List<String> getQualifiedName() {
    return name;
  }

  @Override
  public RelDataType getRowType() {
    return rowType;
  }

  @Override
  public RelDataType getRowType(RelDataTypeFactory typeFactory) {
    return rowType;
  }

  @Override
  protected org.apache.calcite.plan.RelOptTable extend(Table extendedTable) {
    // Reached by the EXTEND clause only, which the grammar does not have.
    throw new UnsupportedOperationException("EXTEND");
  }

  @Override
  public boolean isKey(ImmutableBitSet columns) {
    return false;
  }

  @Override
  public @Nullable List<ImmutableBitSet> getKeys() {
    return List.of();
  }

  @Override
  public @Nullable List<RelReferentialConstraint> getReferentialConstraints() {
    return List.of();
  }

  @Override
  public @Nullable List<RelCollation> getCollationList() {
    return List.of();
  }

  @Override
  public RelDistribution getDistribution() {
    return RelDistributions.ANY;
  }

  @Override
  public @Nullable Expression getExpression(Class clazz) {
    return null;
  }

  @Override
  public @Nullable RelOptSchema getRelOptSchema() {
    return null;
  }

  @Override
  public List<ColumnStrategy> getColumnStrategies() {
    return rowType.getFieldList().stream()
        .map(
            (RelDataTypeField field) ->
                field.getType().isNullable()
                    ? ColumnStrategy.NULLABLE
                    : ColumnStrategy.NOT_NULLABLE)
        .toList();
  }

  @Override
  public boolean supportsModality(SqlModality modality) {
    return modality == SqlModality.RELATION;
  }

  @Override
  public boolean isTemporal() {
    return false;
  }

  @Override
  public SqlMonotonicity getMonotonicity(String columnName) {
    return SqlMonotonicity.NOT_MONOTONIC;
  }

  @Override
  public SqlAccessType getAllowedAccess() {
    return SqlAccessType.ALL;
  }

  @Override
  public Statistic getStatistic() {
    return Statistics.UNKNOWN;
  }

  @Override
  public Schema.TableType getJdbcTableType() {
    return Schema.TableType.TABLE;
  }

  @Override
  public boolean isRolledUp(String column) {
    return false;
  }

  @Override
  public boolean rolledUpColumnValidInsideAgg(
      String column,
      SqlCall call,
      @Nullable SqlNode parent,
      @Nullable CalciteConnectionConfig config) {
    return true;
  }

  @Override
  public String toString() {
    return String.join(".", name);
  }
}
