package dev.varve.service.process;

import dev.varve.engine.QueryEngine;
import dev.varve.service.home.Home;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.query.ScriptedEngine;
import dev.varve.service.security.SecurityConfiguration.LocalAccess;
import dev.varve.service.security.Tokens;
import dev.varve.service.security.Users;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The whole service over HTTP, but with an engine that does what its statements say. */
public final class ScriptedService implements AutoCloseable {
  private final ConfigurableApplicationContext context;

  public ScriptedService(Path root, ServiceConfiguration configuration, boolean openToLocal) {
    Home home = new Home(root).create();
    context =
        new SpringApplicationBuilder(ServiceApplication.class)
            .web(WebApplicationType.SERVLET)
            .initializers(
                (GenericApplicationContext c) -> {
                  c.registerBean(Home.class, () -> home);
                  c.registerBean(ServiceConfiguration.class, () -> configuration.withPort(0));
                  c.registerBean(LocalAccess.class, () -> new LocalAccess(openToLocal));
                  c.registerBean("queryEngine", QueryEngine.class, ScriptedEngine::new);
                })
            .run(
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--varve.catalog.warehouse=" + home.warehouse(),
                "--varve.catalog.database-file=" + home.catalog().resolve("varve"));
  }

  public URI url() {
    WebServerApplicationContext web = (WebServerApplicationContext) context;
    return URI.create("http://127.0.0.1:" + Objects.requireNonNull(web.getWebServer()).getPort());
  }

  public String token() {
    return context.getBean(Tokens.class).localSecret();
  }

  public String createAdministrator() {
    return context.getBean(Users.class).createFirstAdministrator().orElseThrow();
  }

  @Override
  public void close() {
    context.close();
  }
}
