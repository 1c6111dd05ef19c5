package dev.varve.service.query;

import dev.varve.engine.Session;
import dev.varve.engine.port.Principal;
import dev.varve.service.query.SessionService.SessionRequest;
import dev.varve.service.security.Principals;
import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Sessions, in which SET and USE last from one statement to the next. */
@RestController
@RequestMapping("/api/v1/sessions")
final class SessionController {
  record SessionStatus(String id, String user, String catalog, String schema) {}

  private final SessionService sessions;

  SessionController(SessionService sessions) {
    this.sessions = sessions;
  }

  @PostMapping(consumes = MediaType.APPLICATION_JSON_VALUE)
  ResponseEntity<SessionStatus> create(
      @RequestBody SessionRequest request, Authentication authentication) {
    Principal principal = Principals.of(authentication);
    String id = sessions.create(principal, request);
    return ResponseEntity.created(URI.create("/api/v1/sessions/" + id))
        .body(status(id, sessions.find(principal, id)));
  }

  @GetMapping("/{id}")
  SessionStatus status(@PathVariable String id, Authentication authentication) {
    return status(id, sessions.find(Principals.of(authentication), id));
  }

  @DeleteMapping("/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void close(@PathVariable String id, Authentication authentication) {
    sessions.close(Principals.of(authentication), id);
  }

  private static SessionStatus status(String id, Session session) {
    return new SessionStatus(id, session.principal().name(), session.catalog(), session.schema());
  }
}
