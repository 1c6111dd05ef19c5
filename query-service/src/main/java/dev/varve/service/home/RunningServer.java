package dev.varve.service.home;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * How programs of the same user find the process that runs on a home: its address and a token that
 * lives as long as the process, both readable by the owner only.
 */
public record RunningServer(URI url, String token) {
  private static final int CONNECT_MILLIS = 2000;

  public void publish(Home home) {
    write(home.run().resolve("token"), token);
    write(home.run().resolve("url"), url.toString());
  }

  /** Removes what {@link #publish} wrote. */
  public static void withdraw(Home home) {
    for (String name : new String[] {"url", "token"}) {
      try {
        Files.deleteIfExists(home.run().resolve(name));
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  /**
   * Empty if no process runs on the home, or it is not ready yet. A process that was killed leaves
   * its address behind, and the next one holds the lock a moment before it removes it: so the
   * address counts only if somebody listens there.
   */
  public static Optional<RunningServer> find(Home home) {
    if (!HomeLock.isHeld(home)) {
      return Optional.empty();
    }
    try {
      String url = Files.readString(home.run().resolve("url")).trim();
      String token = Files.readString(home.run().resolve("token")).trim();
      RunningServer server = new RunningServer(URI.create(url), token);
      return server.listens() ? Optional.of(server) : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      String host = url.getHost().replace("[", "").replace("]", "");
      socket.connect(new InetSocketAddress(host, url.getPort()), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void write(Path file, String text) {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.deleteIfExists(written);
      Files.createFile(
          written,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(written, text + "\n", StandardOpenOption.WRITE);
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new StartFailure("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  /** Without the token, which is a secret. */
  @Override
  public String toString() {
    return "RunningServer[" + url + "]";
  }
}
