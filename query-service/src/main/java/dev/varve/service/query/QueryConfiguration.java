package dev.varve.service.query;

import dev.varve.engine.QueryEngine;
import dev.varve.service.home.Home;
import dev.varve.service.home.ServiceConfiguration;
import java.time.Clock;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/** The beans of this package. */
@Configuration(proxyBeanMethods = false)
@Import({QueryController.class, QueryEventsController.class, SessionController.class})
public class QueryConfiguration {
  private static final long HISTORY_FILE_BYTES = 8L << 20;

  @Bean(destroyMethod = "close")
  QueryHistory queryHistory(Home home, JsonMapper json) {
    return new QueryHistory(home.history(), HISTORY_FILE_BYTES, json);
  }

  @Bean(destroyMethod = "close")
  QueryService queryService(ServiceConfiguration configuration, QueryHistory history, Clock clock) {
    return new QueryService(configuration, history, clock);
  }

  @Bean
  SessionService sessionService(
      QueryEngine engine, ServiceConfiguration configuration, Clock clock) {
    return new SessionService(engine, configuration, clock);
  }

  /** Ends queries before the web server waits for its requests, some of which wait for queries. */
  @Bean
  SmartLifecycle queriesEndFirst(QueryService queries) {
    return new SmartLifecycle() {
      private volatile boolean running;

      @Override
      public void start() {
        running = true;
      }

      @Override
      public void stop() {
        queries.close();
        running = false;
      }

      @Override
      public boolean isRunning() {
        return running;
      }
    };
  }
}
