package dev.varve.service.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers what never reached a controller: unknown routes, wrong methods, malformed requests. */
@RestController
final class ProblemErrorController implements ErrorController {
  private final ProblemWriter problems;

  ProblemErrorController(ProblemWriter problems) {
    this.problems = problems;
  }

  @RequestMapping("/error")
  void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    HttpStatus status = code instanceof Integer number ? HttpStatus.resolve(number) : null;
    HttpStatus known = status == null ? HttpStatus.NOT_FOUND : status;
    Object uri = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
    String path = uri == null ? request.getRequestURI() : uri.toString();
    String detail =
        switch (known) {
          case NOT_FOUND -> "no resource at " + path;
          case METHOD_NOT_ALLOWED -> method(request) + " is not supported at " + path;
          case UNSUPPORTED_MEDIA_TYPE ->
              "the body's type is "
                  + (request.getContentType() == null ? "not given" : request.getContentType())
                  + "; send JSON with the header Content-Type: application/json";
          default -> known.getReasonPhrase();
        };
    problems.write(request, response, Problem.of(known, detail));
  }

  /** The request's own method: while an error is answered the container says GET. */
  private static Object method(HttpServletRequest request) {
    Object method = request.getAttribute(RequestDispatcher.ERROR_METHOD);
    return method == null ? request.getMethod() : method;
  }
}
