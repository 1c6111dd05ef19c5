package dev.varve.engine.statement;

import dev.varve.engine.plan.OptimizedPlan;
import dev.varve.engine.port.Procedure;
import dev.varve.engine.sql.QualifiedName;
import dev.varve.engine.sql.Statement;
import dev.varve.engine.type.Field;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.SourcePosition;
import dev.varve.layout.error.VarveException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CALL: finds the procedure, binds its arguments, asks for access, and leaves the work to a plan of
 * one node.
 */
final class CallStatements {
  private final StatementServices services;

  CallStatements(StatementServices services) {
    this.services = services;
  }

  /** The procedure of that name, under the statement's own. */
  Prepared analyze(Statement.Analyze statement, StatementContext context) {
    StringBuilder table = new StringBuilder();
    for (String part : statement.table().parts()) {
      table.append(table.isEmpty() ? "" : ".").append('"').append(part.replace("\"", "\"\""));
      table.append('"');
    }
    SourcePosition position = statement.table().position();
    Statement.Call call =
        new Statement.Call(
            new QualifiedName(List.of("system", "analyze"), position),
            List.of(new Statement.Argument(null, table.toString(), position)),
            statement.position());
    return call(call, context, "ANALYZE");
  }

  Prepared call(Statement.Call statement, StatementContext context) {
    return call(statement, context, "CALL");
  }

  private Prepared call(Statement.Call statement, StatementContext context, String tag) {
    Procedure procedure = procedure(statement.procedure());
    List<@Nullable Object> arguments = bind(procedure, statement);
    ProcedureExec plan = new ProcedureExec(procedure, arguments, services, context);
    context.check(plan.accesses());
    return new Prepared.Run(tag, new OptimizedPlan(plan, List.of()), procedure.resultSchema());
  }

  private Procedure procedure(QualifiedName name) {
    List<String> parts = name.parts();
    boolean system = parts.size() == 1 || (parts.size() == 2 && parts.get(0).equals("system"));
    Procedure procedure = system ? services.procedures().get(name.last()) : null;
    if (procedure == null) {
      throw new VarveException(
          ErrorCode.UNDEFINED_FUNCTION,
          "procedure '" + name + "' does not exist",
          name.position(),
          "procedures are system."
              + String.join(", system.", services.procedures().keySet().stream().sorted().toList()),
          null);
    }
    return procedure;
  }

  private static List<@Nullable Object> bind(Procedure procedure, Statement.Call statement) {
    List<Field> parameters = procedure.parameters();
    @Nullable Object[] values = new Object[parameters.size()];
    boolean[] given = new boolean[parameters.size()];
    int next = 0;
    for (Statement.Argument argument : statement.arguments()) {
      int index = argument.name() == null ? next++ : indexOf(parameters, argument);
      if (index >= parameters.size()) {
        throw wrong(
            "system." + procedure.name() + " takes at most " + parameters.size() + " arguments",
            argument.position());
      }
      if (given[index]) {
        throw wrong(
            "argument '" + parameters.get(index).name() + "' is given twice", argument.position());
      }
      given[index] = true;
      values[index] = convert(argument, parameters.get(index));
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null && !parameters.get(i).nullable()) {
        throw wrong(
            "argument '"
                + parameters.get(i).name()
                + "' of system."
                + procedure.name()
                + " is missing",
            statement.position());
      }
    }
    return Arrays.asList(values);
  }

  private static int indexOf(List<Field> parameters, Statement.Argument argument) {
    for (int i = 0; i < parameters.size(); i++) {
      if (parameters.get(i).name().equals(argument.name())) {
        return i;
      }
    }
    throw new VarveException(
        ErrorCode.INVALID_PARAMETER,
        "there is no argument '" + argument.name() + "'",
        argument.position(),
        "arguments are " + String.join(", ", parameters.stream().map(Field::name).toList()),
        null);
  }

  private static @Nullable Object convert(Statement.Argument argument, Field parameter) {
    Object value = argument.value();
    if (value == null) {
      return null;
    }
    try {
      return switch (parameter.type().kind()) {
        case BOOLEAN -> (Boolean) value;
        case SMALLINT, INTEGER -> Math.toIntExact(((Number) value).longValue());
        case BIGINT -> new BigDecimal(value.toString()).longValueExact();
        case DOUBLE -> ((Number) value).doubleValue();
        case VARCHAR -> (String) value;
        case NULL,
            REAL,
            DECIMAL,
            DATE,
            TIME,
            TIMESTAMP,
            TIMESTAMPTZ,
            INTERVAL_DAY,
            INTERVAL_MONTH,
            VARBINARY,
            UUID ->
            throw new IllegalStateException(
                "procedures have no parameters of type " + parameter.type());
      };
    } catch (ClassCastException | ArithmeticException | NumberFormatException e) {
      throw wrong(
          "argument '" + parameter.name() + "' is " + value + ", not a " + parameter.type(),
          argument.position());
    }
  }

  private static VarveException wrong(String message, SourcePosition position) {
    return new VarveException(ErrorCode.INVALID_PARAMETER, message, position, null, null);
  }
}
