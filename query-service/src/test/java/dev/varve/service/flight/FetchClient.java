package dev.varve.service.flight;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Properties;

/**
 * A program that fetches all rows of a query whose first column is a number, in a JVM of its own
 * with nothing but the driver: url, user, password, query. Prints the number of rows, the sum of
 * the numbers and the most bytes it had outside the heap.
 */
final class FetchClient {
  private FetchClient() {}

  public static void main(String[] arguments) throws Exception {
    Properties login = new Properties();
    login.setProperty("user", arguments[1]);
    login.setProperty("password", arguments[2]);
    long rows = 0;
    long sum = 0;
    long direct = 0;
    try (Connection connection = DriverManager.getConnection(arguments[0], login)) {
      connection.setAutoCommit(Boolean.parseBoolean(arguments[4]));
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(10_000);
        try (ResultSet result = statement.executeQuery(arguments[3])) {
          while (result.next()) {
            sum += result.getLong(1);
            if (++rows % 100_000 == 0) {
              direct = Math.max(direct, directBytes());
            }
          }
        }
      }
    }
    System.out.println(rows + " " + sum + " " + direct);
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
