package dev.varve.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Passes HTTP on to a port, notes the first line of each request, and can be cut: at once, or when
 * a request of some kind comes. While it is cut, connections are closed without an answer.
 */
final class Relay implements AutoCloseable {
  private final ServerSocket server;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile boolean down;
  private volatile Predicate<String> cutAt = line -> false;

  Relay(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** The first lines of the requests since the last call of {@link #forget}. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  void forget() {
    requests.clear();
  }

  void cut() {
    down = true;
    open.forEach(Relay::close);
  }

  /** Cuts when a request's first line is of that kind, before it is passed on. */
  void cutAt(Predicate<String> firstLine) {
    cutAt = firstLine;
  }

  boolean isCut() {
    return down;
  }

  void mend() {
    cutAt = line -> false;
    down = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        if (down) {
          close(client);
          continue;
        }
        Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(upstream);
        Thread.ofVirtual().start(() -> pass(client, upstream, true));
        Thread.ofVirtual().start(() -> pass(upstream, client, false));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void pass(Socket from, Socket to, boolean watch) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (watch) {
          watch(buffer, count);
        }
        if (down) {
          return;
        }
        out.write(buffer, 0, count);
        out.flush();
      }
    } catch (IOException e) {
      // One side is gone, so the other goes too.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  /** A request begins with what a read returns: its head is sent as a whole. */
  private void watch(byte[] buffer, int count) {
    String text = new String(buffer, 0, Math.min(count, 2000), StandardCharsets.ISO_8859_1);
    int end = text.indexOf(" HTTP/1.1");
    if (end > 0 && text.matches("(?s)^(GET|PUT|POST|HEAD|DELETE) /.*")) {
      String line = text.substring(0, end);
      requests.add(line);
      if (cutAt.test(line)) {
        cut();
      }
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is gone already.
    }
  }

  @Override
  public void close() throws IOException {
    cut();
    server.close();
  }
}
