package dev.varve.writer.maintain;

import dev.varve.layout.error.ErrorCode;
import dev.varve.layout.error.VarveException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code older_than} may say: a time ({@code 2026-11-30}, {@code 2026-11-30 12:00:00}, in UTC
 * where no offset is given), or an age such as {@code 3 days}.
 */
final class AgeLimit {
  private static final Pattern AGE = Pattern.compile("(\\d{1,9})\\s*(second|minute|hour|day)s?");

  private AgeLimit() {}

  static Instant parse(String text, Instant now) {
    String plain = text.strip().toLowerCase(Locale.ROOT);
    Matcher age = AGE.matcher(plain);
    if (age.matches()) {
      long count = Long.parseLong(age.group(1));
      return now.minus(
          switch (age.group(2)) {
            case "second" -> Duration.ofSeconds(count);
            case "minute" -> Duration.ofMinutes(count);
            case "hour" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
          });
    }
    try {
      String iso = text.strip().replace(' ', 'T');
      if (iso.length() == "2026-11-30".length()) {
        return LocalDate.parse(iso).atStartOfDay().toInstant(ZoneOffset.UTC);
      }
      return iso.matches(".*([zZ]|[+-]\\d\\d:?\\d\\d)$")
          ? OffsetDateTime.parse(iso).toInstant()
          : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new VarveException(
          ErrorCode.INVALID_PARAMETER,
          "older_than is '" + text + "', neither a time nor an age",
          null,
          "write it as '2026-11-30 12:00:00' or '3 days'",
          e);
    }
  }
}
