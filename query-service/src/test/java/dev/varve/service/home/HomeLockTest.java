package dev.varve.service.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeLockTest {
  @TempDir Path directory;

  @Test
  void aHomeHasOneHolderAtATimeAndItsPidIsTold() throws Exception {
    Home home = new Home(directory).create();
    try (HomeLock lock = HomeLock.acquire(home)) {
      assertThat(HomeLock.isHeld(home)).isTrue();
      assertThatThrownBy(() -> HomeLock.acquire(home))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("(pid " + ProcessHandle.current().pid() + ")");
      assertThat(HomeLock.isHeld(home)).isTrue();
      assertThat(lock).isNotNull();
    }
    assertThat(HomeLock.isHeld(home)).isFalse();
    HomeLock.acquire(home).close();
  }

  @Test
  void whatAKilledProcessLeftBehindHoldsNothing() throws Exception {
    Home home = new Home(directory).create();
    Files.writeString(home.run().resolve("pid"), ProcessHandle.current().pid() + " 1");
    Files.createFile(home.run().resolve("lock"));
    new RunningServer(URI.create("http://127.0.0.1:1"), "t").publish(home);
    assertThat(HomeLock.isHeld(home)).isFalse();
    assertThat(RunningServer.find(home)).isEmpty();
    try (HomeLock next = HomeLock.acquire(home)) {
      assertThat(RunningServer.find(home)).isEmpty();
      assertThat(next).isNotNull();
    }
  }

  @Test
  void onlyTheOwnerCanReadTheTokenOfARunningProcess() throws Exception {
    Home home = new Home(directory).create();
    try (HomeLock lock = HomeLock.acquire(home);
        ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      RunningServer server =
          new RunningServer(URI.create("http://127.0.0.1:" + listener.getLocalPort()), "secret");
      server.publish(home);
      assertThat(RunningServer.find(home)).contains(server);
      assertThat(server.toString()).doesNotContain("secret");
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(home.run().resolve("token"))))
          .isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.run())))
          .isEqualTo("rwx------");
      RunningServer.withdraw(home);
      assertThat(home.run().resolve("token")).doesNotExist();
      assertThat(lock).isNotNull();
    }
  }

  @Test
  void aHomeThatCannotBeWrittenIsNamed() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> new Home(file.resolve("home")).create())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(file.resolve("home").toString())
        .hasMessageContaining("choose another with --home");
  }
}
