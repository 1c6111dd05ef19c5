package dev.varve.service.flight;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.varve.engine.PreparedStatement;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.query.ClientQuery;
import dev.varve.service.query.QueryService;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.arrow.flight.CancelFlightInfoRequest;
import org.apache.arrow.flight.CancelStatus;
import org.apache.arrow.flight.CloseSessionRequest;
import org.apache.arrow.flight.CloseSessionResult;
import org.apache.arrow.flight.Criteria;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.GetSessionOptionsRequest;
import org.apache.arrow.flight.GetSessionOptionsResult;
import org.apache.arrow.flight.PutResult;
import org.apache.arrow.flight.Result;
import org.apache.arrow.flight.SchemaResult;
import org.apache.arrow.flight.SetSessionOptionsRequest;
import org.apache.arrow.flight.SetSessionOptionsResult;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.sql.CancelResult;
import org.apache.arrow.flight.sql.impl.FlightSql.ActionClosePreparedStatementRequest;
import org.apache.arrow.flight.sql.impl.FlightSql.ActionCreatePreparedStatementRequest;
import org.apache.arrow.flight.sql.impl.FlightSql.ActionCreatePreparedStatementResult;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandPreparedStatementQuery;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandPreparedStatementUpdate;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementQuery;
import org.apache.arrow.flight.sql.impl.FlightSql.CommandStatementUpdate;
import org.apache.arrow.flight.sql.impl.FlightSql.TicketStatementQuery;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What Flight SQL's calls mean here. A statement starts when its client asks for its flight, which
 * answers its columns and a ticket; the ticket's stream is its rows. Metadata is in {@link
 * MetadataProducer}. Safe for concurrent use.
 */
final class SqlProducer extends MetadataProducer {
  private final QueryService queries;
  private final PreparedStatements prepared;
  private final BufferAllocator allocator;

  SqlProducer(
      QueryService queries,
      PreparedStatements prepared,
      ServiceConfiguration configuration,
      BufferAllocator allocator) {
    super(configuration, allocator);
    this.queries = queries;
    this.prepared = prepared;
    this.allocator = allocator;
  }

  private static <T> T answer(Callable<T> work) {
    try {
      return work.call();
    } catch (Exception e) {
      throw FlightErrors.of(e);
    }
  }

  private static <T> void answer(StreamListener<T> listener, Callable<@Nullable T> work) {
    T result;
    try {
      result = work.call();
    } catch (Exception e) {
      listener.onError(FlightErrors.of(e));
      return;
    }
    if (result != null) {
      listener.onNext(result);
    }
    listener.onCompleted();
  }

  private static void refuseTransaction(boolean wanted) {
    if (wanted) {
      throw new VarveException(
          ErrorCode.FEATURE_NOT_SUPPORTED, "there are no transactions: each statement is one");
    }
  }

  // Statements

  @Override
  public FlightInfo getFlightInfoStatement(
      CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return answer(
        () -> {
          refuseTransaction(command.hasTransactionId());
          Execution execution =
              Execution.start(queries, CallerMiddleware.of(context).session(), command.getQuery());
          return flight(execution, context, descriptor);
        });
  }

  @Override
  public SchemaResult getSchemaStatement(
      CommandStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return answer(
        () -> {
          CallerMiddleware caller = CallerMiddleware.of(context);
          PreparedStatement statement = queries.prepare(caller.session(), command.getQuery());
          return new SchemaResult(datasetSchema(statement, caller));
        });
  }

  @Override
  public Runnable acceptPutStatement(
      CommandStatementUpdate command,
      CallContext context,
      FlightStream parameters,
      StreamListener<PutResult> acknowledge) {
    return () ->
        answer(
            acknowledge,
            () -> {
              refuseTransaction(command.hasTransactionId());
              Execution execution =
                  Execution.start(
                      queries, CallerMiddleware.of(context).session(), command.getQuery());
              Updates.acknowledge(execution.runToEnd(context), allocator, acknowledge);
              return null;
            });
  }

  /** Waits for the columns of a statement that was started. */
  private static FlightInfo flight(
      Execution execution, CallContext context, FlightDescriptor descriptor)
      throws InterruptedException {
    Schema schema = Columns.of(execution.awaitSchema(context), execution.zone());
    TicketStatementQuery ticket =
        TicketStatementQuery.newBuilder().setStatementHandle(execution.handle()).build();
    return flight(schema, ticket, descriptor);
  }

  @Override
  public void getStreamStatement(
      TicketStatementQuery ticket, CallContext context, ServerStreamListener client) {
    ClientQuery query;
    Schema schema;
    try {
      Execution execution =
          Execution.find(queries, CallerMiddleware.of(context), ticket.getStatementHandle());
      query = execution.query();
      schema = Columns.of(execution.awaitSchema(context), execution.zone());
    } catch (Exception e) {
      client.error(FlightErrors.of(e));
      return;
    }
    new ResultStream(query, schema, allocator, client).start("flight-" + query.id());
  }

  // Prepared statements

  @Override
  public void createPreparedStatement(
      ActionCreatePreparedStatementRequest request,
      CallContext context,
      StreamListener<Result> listener) {
    answer(
        listener,
        () -> {
          refuseTransaction(request.hasTransactionId());
          CallerMiddleware caller = CallerMiddleware.of(context);
          PreparedStatement statement = queries.prepare(caller.session(), request.getQuery());
          ActionCreatePreparedStatementResult.Builder result =
              ActionCreatePreparedStatementResult.newBuilder()
                  .setPreparedStatementHandle(
                      ByteString.copyFromUtf8(prepared.add(caller.session(), statement)));
          if (statement.schema().isPresent()) {
            result.setDatasetSchema(Columns.serialized(datasetSchema(statement, caller)));
          }
          if (!statement.parameterTypes().isEmpty()) {
            result.setParameterSchema(
                Columns.serialized(
                    Columns.ofParameters(
                        statement.parameterTypes(), Execution.zone(caller.session()))));
          }
          return new Result(Any.pack(result.build()).toByteArray());
        });
  }

  private static Schema datasetSchema(PreparedStatement statement, CallerMiddleware caller) {
    return Columns.of(
        statement.schema().orElse(dev.varve.engine.type.Schema.EMPTY),
        Execution.zone(caller.session()));
  }

  @Override
  public void closePreparedStatement(
      ActionClosePreparedStatementRequest request,
      CallContext context,
      StreamListener<Result> listener) {
    answer(
        listener,
        () -> {
          prepared.close(
              CallerMiddleware.of(context).principal(),
              request.getPreparedStatementHandle().toStringUtf8());
          return null;
        });
  }

  private PreparedStatements.Entry find(ByteString handle, CallContext context) {
    return prepared.find(CallerMiddleware.of(context).principal(), handle.toStringUtf8());
  }

  @Override
  public Runnable acceptPutPreparedStatementQuery(
      CommandPreparedStatementQuery command,
      CallContext context,
      FlightStream parameters,
      StreamListener<PutResult> acknowledge) {
    return () ->
        answer(
            acknowledge,
            () -> {
              PreparedStatements.Entry entry = find(command.getPreparedStatementHandle(), context);
              entry.bind(Updates.onlyRow(parameters));
              return null;
            });
  }

  @Override
  public FlightInfo getFlightInfoPreparedStatement(
      CommandPreparedStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return answer(
        () -> {
          PreparedStatements.Entry entry = find(command.getPreparedStatementHandle(), context);
          Execution execution =
              Execution.start(queries, CallerMiddleware.of(context), entry, entry.values());
          return flight(execution, context, descriptor);
        });
  }

  @Override
  public SchemaResult getSchemaPreparedStatement(
      CommandPreparedStatementQuery command, CallContext context, FlightDescriptor descriptor) {
    return answer(
        () ->
            new SchemaResult(
                datasetSchema(
                    find(command.getPreparedStatementHandle(), context).statement(),
                    CallerMiddleware.of(context))));
  }

  /** For clients that ask for the rows without asking for the flight first. */
  @Override
  public void getStreamPreparedStatement(
      CommandPreparedStatementQuery command, CallContext context, ServerStreamListener client) {
    TicketStatementQuery ticket;
    try {
      PreparedStatements.Entry entry = find(command.getPreparedStatementHandle(), context);
      Execution execution =
          Execution.start(queries, CallerMiddleware.of(context), entry, entry.values());
      ticket = TicketStatementQuery.newBuilder().setStatementHandle(execution.handle()).build();
    } catch (Exception e) {
      client.error(FlightErrors.of(e));
      return;
    }
    getStreamStatement(ticket, context, client);
  }

  /**
   * Executes the statement once for each row of parameters, each time as a statement of its own.
   */
  @Override
  public Runnable acceptPutPreparedStatementUpdate(
      CommandPreparedStatementUpdate command,
      CallContext context,
      FlightStream parameters,
      StreamListener<PutResult> acknowledge) {
    return () ->
        answer(
            acknowledge,
            () -> {
              PreparedStatements.Entry entry = find(command.getPreparedStatementHandle(), context);
              long rows = 0;
              Updates.Rows values = new Updates.Rows(parameters);
              List<@Nullable Object> row =
                  entry.statement().parameterTypes().isEmpty() ? List.of() : values.next();
              while (row != null) {
                rows +=
                    Execution.start(queries, CallerMiddleware.of(context), entry, row)
                        .runToEnd(context);
                row = entry.statement().parameterTypes().isEmpty() ? null : values.next();
              }
              Updates.acknowledge(rows, allocator, acknowledge);
              return null;
            });
  }

  // Cancel

  @Override
  public void cancelFlightInfo(
      CancelFlightInfoRequest request, CallContext context, StreamListener<CancelStatus> listener) {
    answer(
        listener,
        () ->
            cancel(request.getInfo(), context)
                ? CancelStatus.CANCELLED
                : CancelStatus.NOT_CANCELLABLE);
  }

  @Override
  public void cancelQuery(
      FlightInfo info, CallContext context, StreamListener<CancelResult> listener) {
    answer(
        listener,
        () -> cancel(info, context) ? CancelResult.CANCELLED : CancelResult.NOT_CANCELLABLE);
  }

  private boolean cancel(FlightInfo info, CallContext context)
      throws InvalidProtocolBufferException {
    boolean any = false;
    for (FlightEndpoint endpoint : info.getEndpoints()) {
      Any ticket = Any.parseFrom(endpoint.getTicket().getBytes());
      if (ticket.is(TicketStatementQuery.class)) {
        CallerMiddleware caller = CallerMiddleware.of(context);
        ByteString handle = ticket.unpack(TicketStatementQuery.class).getStatementHandle();
        queries.cancel(caller.principal(), Execution.find(queries, caller, handle).query().id());
        any = true;
      }
    }
    return any;
  }

  // Sessions

  @Override
  public void setSessionOptions(
      SetSessionOptionsRequest request,
      CallContext context,
      StreamListener<SetSessionOptionsResult> listener) {
    answer(
        listener,
        () -> SessionOptions.set(CallerMiddleware.of(context), request.getSessionOptions()));
  }

  @Override
  public void getSessionOptions(
      GetSessionOptionsRequest request,
      CallContext context,
      StreamListener<GetSessionOptionsResult> listener) {
    answer(listener, () -> SessionOptions.get(CallerMiddleware.of(context)));
  }

  @Override
  public void closeSession(
      CloseSessionRequest request,
      CallContext context,
      StreamListener<CloseSessionResult> listener) {
    answer(
        listener,
        () ->
            new CloseSessionResult(
                CallerMiddleware.of(context).closeSession()
                    ? CloseSessionResult.Status.CLOSED
                    : CloseSessionResult.Status.NOT_CLOSABLE));
  }

  static FlightInfo flight(Schema schema, Message ticket, FlightDescriptor descriptor) {
    return new FlightInfo(
        schema,
        descriptor,
        List.of(new FlightEndpoint(new Ticket(Any.pack(ticket).toByteArray()))),
        -1,
        -1);
  }

  @Override
  public void listFlights(
      CallContext context, Criteria criteria, StreamListener<FlightInfo> listener) {
    listener.onCompleted();
  }
}
