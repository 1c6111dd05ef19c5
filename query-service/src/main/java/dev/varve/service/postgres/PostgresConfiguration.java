package dev.varve.service.postgres;

import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.query.QueryService;
import dev.varve.service.query.SessionService;
import dev.varve.service.security.Authenticator;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans of this package. */
@Configuration(proxyBeanMethods = false)
public class PostgresConfiguration {

  @Bean
  PostgresEndpoint postgresEndpoint(
      ServiceConfiguration configuration,
      Authenticator authenticator,
      SessionService sessions,
      QueryService queries,
      Clock clock) {
    return new PostgresEndpoint(configuration, authenticator, sessions, queries, clock);
  }
}
