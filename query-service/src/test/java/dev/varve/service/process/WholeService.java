package dev.varve.service.process;

import dev.varve.service.home.Home;
import dev.varve.service.home.ServiceConfiguration;
import dev.varve.service.security.SecurityConfiguration.LocalAccess;
import dev.varve.service.security.Users;
import java.nio.file.Path;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** The whole service in this process, whose parts a test can look at. */
public final class WholeService implements AutoCloseable {
  private final ConfigurableApplicationContext context;

  public WholeService(Path root, ServiceConfiguration configuration) {
    Home home = new Home(root).create();
    context =
        new SpringApplicationBuilder(ServiceApplication.class)
            .web(WebApplicationType.SERVLET)
            .initializers(
                (GenericApplicationContext c) -> {
                  c.registerBean(Home.class, () -> home);
                  c.registerBean(ServiceConfiguration.class, () -> configuration.withPort(0));
                  c.registerBean(LocalAccess.class, () -> new LocalAccess(false));
                })
            .run(
                "--server.address=" + configuration.address(),
                "--server.port=0",
                "--varve.catalog.warehouse=file://" + home.warehouse(),
                "--varve.catalog.database-file=" + home.catalog().resolve("varve"));
  }

  public <T> T part(Class<T> type) {
    return context.getBean(type);
  }

  public String createAdministrator() {
    return part(Users.class).createFirstAdministrator().orElseThrow();
  }

  @Override
  public void close() {
    context.close();
  }
}
