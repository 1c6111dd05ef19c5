package dev.varve.service.web;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/** The beans of this package. */
@Configuration(proxyBeanMethods = false)
@Import({ProblemAdvice.class, ProblemErrorController.class})
public class WebConfiguration {

  @Bean
  ProblemWriter problemWriter(JsonMapper json) {
    return new ProblemWriter(json);
  }
}
