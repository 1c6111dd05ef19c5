package dev.varve.service.postgres;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Messages from a client. Confined to the connection's thread. */
final class WireInput {
  private static final int MAX_STARTUP_BYTES = 10_000;
  private static final int BUFFER_BYTES = 8192;

  /** A message's type, 0 for those before the login, and its content, read from the front. */
  record Message(char type, ByteBuffer content) {
    String string() {
      int start = content.position();
      int end = start;
      while (end < content.limit() && content.get(end) != 0) {
        end++;
      }
      if (end == content.limit()) {
        throw wrong("a string without its end");
      }
      content.position(end + 1);
      return new String(
          content.array(), content.arrayOffset() + start, end - start, StandardCharsets.UTF_8);
    }

    byte[] bytes(int count) {
      if (count < 0 || count > content.remaining()) {
        throw wrong("a value longer than its message");
      }
      byte[] bytes = new byte[count];
      content.get(bytes);
      return bytes;
    }
  }

  private final Socket socket;
  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int from;
  private int to;

  WireInput(Socket socket) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
  }

  static VarveException wrong(String what) {
    return new VarveException(ErrorCode.INVALID_PARAMETER, "protocol violation: " + what);
  }

  Message startup() throws IOException {
    return new Message((char) 0, content(MAX_STARTUP_BYTES));
  }

  Message next(long limitBytes) throws IOException {
    char type = (char) read();
    return new Message(type, content(limitBytes));
  }

  private ByteBuffer content(long limitBytes) throws IOException {
    int length = read() << 24 | read() << 16 | read() << 8 | read();
    if (length < 4 || length > limitBytes) {
      throw wrong("a message of " + length + " bytes; the limit is " + limitBytes);
    }
    byte[] bytes = new byte[length - 4];
    int at = 0;
    while (at < bytes.length) {
      fill();
      int count = Math.min(bytes.length - at, to - from);
      System.arraycopy(buffer, from, bytes, at, count);
      from += count;
      at += count;
    }
    return ByteBuffer.wrap(bytes);
  }

  private int read() throws IOException {
    fill();
    return buffer[from++] & 255;
  }

  private void fill() throws IOException {
    if (from == to) {
      int count = in.read(buffer, 0, buffer.length);
      if (count < 0) {
        throw new EOFException("the client has gone");
      }
      from = 0;
      to = count;
    }
  }

  /** Whether nothing of the client's is left to be read here. */
  boolean isEmpty() {
    return from == to;
  }

  /**
   * Looks whether the client is still there; what it has sent meanwhile is kept. A client that has
   * sent more than the buffer holds is taken to be there.
   */
  boolean isGone() throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
    }
    if (to == buffer.length) {
      return false;
    }
    int timeout = socket.getSoTimeout();
    try {
      socket.setSoTimeout(1);
      int count = in.read(buffer, to, buffer.length - to);
      to += Math.max(0, count);
      return count < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    } finally {
      if (!socket.isClosed()) {
        socket.setSoTimeout(timeout);
      }
    }
  }
}
