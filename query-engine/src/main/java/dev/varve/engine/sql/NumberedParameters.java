package dev.varve.engine.sql;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlShuttle;

/** {@code $1}, which the grammar reads as a name, as the statement's first parameter. */
final class NumberedParameters extends SqlShuttle {
  private static final Pattern NUMBERED = Pattern.compile("\\$[1-9][0-9]{0,4}");

  private boolean numbered;
  private boolean positional;

  @Override
  public SqlNode visit(SqlIdentifier name) {
    if (!name.isSimple()
        || name.isComponentQuoted(0)
        || !NUMBERED.matcher(name.getSimple()).matches()) {
      return name;
    }
    numbered = true;
    checkOneKind(name);
    int index = Integer.parseInt(name.getSimple().substring(1)) - 1;
    return new SqlDynamicParam(index, name.getParserPosition());
  }

  @Override
  public SqlNode visit(SqlDynamicParam parameter) {
    positional = true;
    checkOneKind(parameter);
    return parameter;
  }

  private void checkOneKind(SqlNode place) {
    if (numbered && positional) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "a statement's parameters are either all ? or all numbered, as $1",
          Positions.of(place.getParserPosition()),
          null,
          null);
    }
  }
}
