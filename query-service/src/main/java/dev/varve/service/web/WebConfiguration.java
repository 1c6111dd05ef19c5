package dev.varve.service.web;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** The beans of this package. */
@Configuration(proxyBeanMethods = false)
@Import({ProblemAdvice.class, ProblemErrorController.class})
public class WebConfiguration {

  /** Text is wanted where text is wanted: {@code {"sql": 1}} is a mistake. */
  @Bean
  JsonMapperBuilderCustomizer noTextFromOtherTypes() {
    return builder ->
        builder.withCoercionConfig(
            LogicalType.Textual,
            coercion ->
                coercion
                    .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                    .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> answersAreWholeOrBroken() {
    return factory -> factory.addEngineValves(new CutOff());
  }

  @Bean
  ProblemWriter problemWriter(JsonMapper json) {
    return new ProblemWriter(json);
  }
}
