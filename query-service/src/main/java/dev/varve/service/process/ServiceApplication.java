package dev.varve.service.process;

import dev.varve.service.query.QueryConfiguration;
import dev.varve.service.security.SecurityConfiguration;
import dev.varve.service.web.WebConfiguration;
import java.time.Clock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** What a process consists of. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  WebConfiguration.class,
  SecurityConfiguration.class,
  EngineConfiguration.class,
  QueryConfiguration.class
})
class ServiceApplication {

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }
}
