package dev.varve.catalog.rest;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import java.io.IOException;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.rest.RESTMessage;
import org.apache.iceberg.rest.RESTSerializers;

/** JSON as Iceberg's REST clients speak it. */
final class RestJson {
  private final ObjectMapper mapper;

  RestJson() {
    mapper =
        new ObjectMapper()
            .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
            .setPropertyNamingStrategy(new PropertyNamingStrategies.KebabCaseStrategy());
    RESTSerializers.registerAll(mapper);
  }

  /** Reads and validates a request. */
  <T extends RESTMessage> T read(byte[] body, Class<T> type) {
    try {
      JsonNode tree = mapper.readTree(body);
      if (tree == null || !tree.isObject()) {
        throw new BadRequestException("The body is no object: a %s is", type.getSimpleName());
      }
      T message = mapper.treeToValue(tree, type);
      message.validate();
      return message;
    } catch (JsonProcessingException e) {
      throw new BadRequestException(
          e, "Malformed %s: %s", type.getSimpleName(), e.getOriginalMessage());
    } catch (NullPointerException e) {
      // Iceberg's parsers miss some parts only when they use them.
      throw new BadRequestException(
          e, "Malformed %s: a part of it is missing", type.getSimpleName());
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot be read", e);
    }
  }

  byte[] write(Object message) {
    try {
      return mapper.writeValueAsBytes(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a response has no JSON form", e);
    }
  }
}
