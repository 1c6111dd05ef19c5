package dev.varve.service.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses what a browser was tricked into sending (a request from another site's page, or to a name
 * that only pretends to be this machine) and bodies beyond the limit, before anything else looks at
 * the request.
 */
public final class RequestGuardFilter extends OncePerRequestFilter {
  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private final ProblemWriter problems;
  private final long maxBodyBytes;
  private final boolean loopbackOnly;

  /**
   * @param loopbackOnly whether the service is to be called by a name of the loopback interface:
   *     other names that resolve to it are not to be trusted
   */
  public RequestGuardFilter(ProblemWriter problems, long maxBodyBytes, boolean loopbackOnly) {
    this.problems = problems;
    this.maxBodyBytes = maxBodyBytes;
    this.loopbackOnly = loopbackOnly;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    String host = request.getHeader("Host");
    if (loopbackOnly && (host == null || !LOOPBACK_NAMES.contains(withoutPort(host)))) {
      refuse(request, response, HttpStatus.FORBIDDEN, "the Host header is not localhost");
      return;
    }
    String origin = request.getHeader("Origin");
    if (origin != null && !authority(origin).equalsIgnoreCase(host)) {
      refuse(request, response, HttpStatus.FORBIDDEN, "requests from other sites are refused");
      return;
    }
    if (request.getContentLengthLong() > maxBodyBytes) {
      String detail = String.valueOf(new BodyTooLargeException(maxBodyBytes).getMessage());
      refuse(request, response, HttpStatus.CONTENT_TOO_LARGE, detail);
      return;
    }
    chain.doFilter(new Limited(request, maxBodyBytes), response);
  }

  private void refuse(
      HttpServletRequest request, HttpServletResponse response, HttpStatus status, String detail)
      throws IOException {
    problems.write(request, response, Problem.of(status, detail));
  }

  private static String withoutPort(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    int colon = name.lastIndexOf(':');
    return colon > name.lastIndexOf(']') ? name.substring(0, colon) : name;
  }

  private static String authority(String origin) {
    try {
      return String.valueOf(URI.create(origin).getRawAuthority());
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  /** A request whose body ends with an error at the limit, also where no length was announced. */
  private static final class Limited extends HttpServletRequestWrapper {
    private final long limitBytes;
    private @Nullable ServletInputStream stream;

    Limited(HttpServletRequest request, long limitBytes) {
      super(request);
      this.limitBytes = limitBytes;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
      ServletInputStream opened = stream;
      if (opened == null) {
        opened = new LimitedStream(super.getInputStream(), limitBytes);
        stream = opened;
      }
      return opened;
    }

    @Override
    public BufferedReader getReader() throws IOException {
      return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }
  }

  private static final class LimitedStream extends ServletInputStream {
    private final ServletInputStream body;
    private final long limitBytes;
    private long read;

    LimitedStream(ServletInputStream body, long limitBytes) {
      this.body = body;
      this.limitBytes = limitBytes;
    }

    @Override
    public int read() throws IOException {
      int value = body.read();
      count(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = body.read(target, offset, length);
      count(Math.max(0, count));
      return count;
    }

    private void count(int bytes) throws IOException {
      read += bytes;
      if (read > limitBytes) {
        throw new BodyTooLargeException(limitBytes);
      }
    }

    @Override
    public boolean isFinished() {
      return body.isFinished();
    }

    @Override
    public boolean isReady() {
      return body.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      body.setReadListener(listener);
    }
  }
}
