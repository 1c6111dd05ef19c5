package dev.varve.service;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A line to a local port that can be cut and mended: while it is cut, connections are refused. */
final class CutLine implements AutoCloseable {
  private final int target;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private ServerSocket server;

  CutLine(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.port = server.getLocalPort();
    listen(server);
  }

  int port() {
    return port;
  }

  void cut() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  void mend() throws IOException {
    server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    listen(server);
  }

  private void listen(ServerSocket listening) {
    Thread.ofVirtual()
        .start(
            () -> {
              while (!listening.isClosed()) {
                try {
                  Socket near = listening.accept();
                  Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                  sockets.add(near);
                  sockets.add(far);
                  copy(near, far);
                  copy(far, near);
                } catch (IOException e) {
                  // It was cut: the loop ends.
                }
              }
            });
  }

  private void copy(Socket from, Socket to) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (from;
                  to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                in.transferTo(out);
              } catch (IOException e) {
                // Either end was closed.
              } finally {
                sockets.remove(from);
              }
            });
  }

  @Override
  public void close() throws IOException {
    cut();
  }
}
