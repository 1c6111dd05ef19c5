package dev.varve.service.flight;

import dev.varve.engine.Session;
import dev.varve.engine.config.EngineSettings;
import dev.varve.engine.config.Setting;
import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import dev.varve.service.query.SessionService;
import dev.varve.service.query.SessionService.SessionRequest;
import java.util.HashMap;
import java.util.Map;
import org.apache.arrow.flight.GetSessionOptionsResult;
import org.apache.arrow.flight.SessionOptionValue;
import org.apache.arrow.flight.SessionOptionValueFactory;
import org.apache.arrow.flight.SessionOptionValueVisitor;
import org.apache.arrow.flight.SetSessionOptionsResult;
import org.jspecify.annotations.Nullable;

/** A session's state as options: {@code catalog}, {@code schema} and every setting by its name. */
final class SessionOptions {
  private static final String CATALOG = "catalog";
  private static final String SCHEMA = "schema";

  private SessionOptions() {}

  static GetSessionOptionsResult get(CallerMiddleware caller) {
    Session session = caller.session();
    Map<String, SessionOptionValue> options = new HashMap<>();
    options.put(CATALOG, SessionOptionValueFactory.makeSessionOptionValue(session.catalog()));
    options.put(SCHEMA, SessionOptionValueFactory.makeSessionOptionValue(session.schema()));
    for (Setting<?> setting : EngineSettings.all()) {
      options.put(
          setting.name(),
          SessionOptionValueFactory.makeSessionOptionValue(
              session.settings().get(setting).toString()));
    }
    return new GetSessionOptionsResult(options);
  }

  /** Each option for itself: what is wrong is told, and the rest is set. */
  static SetSessionOptionsResult set(
      CallerMiddleware caller, Map<String, SessionOptionValue> options) {
    Session session = caller.session();
    Map<String, SetSessionOptionsResult.Error> errors = new HashMap<>();
    options.forEach(
        (name, value) -> {
          try {
            set(session, name, value.acceptVisitor(AS_TEXT));
          } catch (VarveException e) {
            errors.put(
                name,
                new SetSessionOptionsResult.Error(
                    e.code() == ErrorCode.UNDEFINED_OBJECT
                        ? SetSessionOptionsResult.ErrorValue.INVALID_NAME
                        : SetSessionOptionsResult.ErrorValue.INVALID_VALUE));
          }
        });
    caller.keep(session);
    return new SetSessionOptionsResult(errors);
  }

  private static void set(Session session, String name, @Nullable String value) {
    if (value == null) {
      SessionService.reset(session, name);
      return;
    }
    SessionService.apply(
        session,
        switch (name) {
          case CATALOG -> new SessionRequest(value, null, null);
          case SCHEMA -> new SessionRequest(null, value, null);
          default -> new SessionRequest(null, null, Map.of(name, value));
        });
  }

  /** Null for no value. */
  private static final SessionOptionValueVisitor<@Nullable String> AS_TEXT =
      new SessionOptionValueVisitor<>() {
        @Override
        public String visit(String value) {
          return value;
        }

        @Override
        public String visit(boolean value) {
          return Boolean.toString(value);
        }

        @Override
        public String visit(long value) {
          return Long.toString(value);
        }

        @Override
        public String visit(double value) {
          return Double.toString(value);
        }

        @Override
        public String visit(String[] value) {
          throw new VarveException(ErrorCode.INVALID_PARAMETER, "no option has a list of values");
        }

        @Override
        public @Nullable String visit(Void value) {
          return null;
        }
      };
}
