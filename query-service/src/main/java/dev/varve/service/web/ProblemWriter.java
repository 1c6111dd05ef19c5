package dev.varve.service.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a problem where no controller answers. Under {@code /iceberg} errors have the form of the
 * Iceberg REST protocol, which its clients insist on. Safe for concurrent use.
 */
public final class ProblemWriter {
  private final JsonMapper json;

  public ProblemWriter(JsonMapper json) {
    this.json = json;
  }

  public void write(HttpServletRequest request, HttpServletResponse response, Problem problem)
      throws IOException {
    Object error = request.getAttribute("jakarta.servlet.error.request_uri");
    String path = error == null ? request.getRequestURI() : error.toString();
    boolean iceberg = path.startsWith("/iceberg/");
    response.setStatus(problem.status());
    response.setContentType(iceberg ? "application/json" : "application/problem+json");
    json.writeValue(
        response.getOutputStream(),
        iceberg
            ? Map.of(
                "error",
                Map.of(
                    "message", problem.detail(),
                    "type", icebergType(problem),
                    "code", problem.status()))
            : problem);
  }

  /** The protocol's names for what its clients tell apart. */
  private static String icebergType(Problem problem) {
    return switch (problem.status()) {
      case 400 -> "BadRequestException";
      case 401 -> "NotAuthorizedException";
      case 403 -> "ForbiddenException";
      case 503 -> "ServiceUnavailableException";
      default -> problem.code();
    };
  }
}
