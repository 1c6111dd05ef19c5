package dev.varve.service.process;

import dev.varve.layout.io.LocalFileIO;
import dev.varve.layout.io.SchemeFileIO;
import dev.varve.service.flight.FlightConfiguration;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.postgres.PostgresConfiguration;
import dev.varve.service.query.QueryConfiguration;
import dev.varve.service.security.SecurityConfiguration;
import dev.varve.service.storage.S3Files;
import dev.varve.service.web.WebConfiguration;
import java.time.Clock;
import org.apache.iceberg.io.FileIO;
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
  QueryConfiguration.class,
  FlightConfiguration.class,
  PostgresConfiguration.class
})
class ServiceApplication {

  /** Of statements, which access control confines; the catalog confines its own. */
  @Bean(destroyMethod = "close")
  FileIO fileIo(ServiceConfiguration configuration) {
    return new SchemeFileIO(new LocalFileIO(), new S3Files(configuration.storage().s3()));
  }

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }
}
