package dev.varve.service.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.varve.service.home.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {
  private static final Users.User ADA = new Users.User("ada", Set.of("admin"));
  private static final Clock NOW =
      Clock.fixed(Instant.parse("2026-11-30T12:00:00Z"), ZoneOffset.UTC);
  @TempDir Path directory;
  private Home home;

  @BeforeEach
  void create() {
    home = new Home(directory).create();
  }

  @Test
  void theFirstPasswordIsToldOnceAndKeptAsAHash() throws Exception {
    Users users = new Users(home, NOW);
    String password = users.createFirstAdministrator().orElseThrow();
    assertThat(users.createFirstAdministrator()).isEmpty();
    Path file = home.security().resolve("users");
    assertThat(Files.readString(file)).doesNotContain(password).contains("$2a$12$");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");

    Users again = new Users(home, NOW);
    assertThat(again.createFirstAdministrator()).isEmpty();
    assertThat(again.verify("admin", password)).isPresent();
    assertThat(again.verify("admin", password)).isPresent();
    assertThat(again.verify("admin", password + "x")).isEmpty();
    assertThat(again.verify("nobody", password)).isEmpty();
    assertThat(again.verify("admin", "x".repeat(100))).isEmpty();
    assertThat(again.verify("nobody", "x".repeat(100))).isEmpty();
  }

  @Test
  void aTokenWorksUntilItExpiresOrIsDeletedAndIsKeptAsAHash() throws Exception {
    Tokens tokens = new Tokens(home, NOW);
    Tokens.NewToken created = tokens.create(ADA, "ci", Duration.ofDays(1));
    assertThat(Files.readString(home.security().resolve("tokens")))
        .doesNotContain(created.secret());
    assertThat(tokens.verify(created.secret())).contains(ADA);
    assertThat(tokens.verify(created.secret() + "0")).isEmpty();
    assertThat(new Tokens(home, NOW).verify(created.secret())).contains(ADA);
    assertThat(new Tokens(home, Clock.offset(NOW, Duration.ofDays(2))).verify(created.secret()))
        .isEmpty();
    assertThatThrownBy(() -> tokens.delete("eve", created.token().id()))
        .hasMessageContaining("no token");
    tokens.delete("ada", created.token().id());
    assertThat(tokens.verify(created.secret())).isEmpty();
    assertThat(new Tokens(home, NOW).list("ada")).isEmpty();
  }

  @Test
  void aNameThatWouldBreakTheFileIsRefused() {
    assertThatThrownBy(() -> new Tokens(home, NOW).create(ADA, "a\tb", Duration.ofDays(1)))
        .hasMessageContaining("name");
  }

  @Test
  void everyProcessHasALocalTokenOfItsOwn() {
    Tokens tokens = new Tokens(home, NOW);
    assertThat(tokens.verify(tokens.localSecret())).isPresent();
    assertThat(new Tokens(home, NOW).verify(tokens.localSecret())).isEmpty();
  }
}
