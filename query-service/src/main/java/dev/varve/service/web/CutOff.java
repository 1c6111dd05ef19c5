package dev.varve.service.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

/**
 * Breaks the connections of answers that cannot be completed after a part of them was sent. The
 * container would end them like any other, and clients would take the part for the whole.
 */
public final class CutOff extends ValveBase {
  private static final String MARK = CutOff.class.getName();

  CutOff() {
    super(true);
  }

  /** To be called instead of throwing; nothing may be written to the answer afterwards. */
  public static void mark(HttpServletRequest request) {
    request.setAttribute(MARK, true);
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    getNext().invoke(request, response);
    if (request.getAttribute(MARK) != null) {
      response.getCoyoteResponse().action(ActionCode.CLOSE_NOW, null);
    }
  }
}
