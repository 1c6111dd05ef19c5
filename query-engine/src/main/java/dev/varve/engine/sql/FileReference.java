package dev.varve.engine.sql;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A table named by a path in quotes, as an identifier that the validator can carry. */
final class FileReference {
  /** The first part of such an identifier; no catalog has this name. */
  static final String MARKER = "$files";

  private FileReference() {}

  static SqlIdentifier identifier(String path, SqlParserPos position) {
    return new SqlIdentifier(List.of(MARKER, path), null, position, List.of(position, position));
  }

  static Optional<String> path(List<String> names) {
    return names.size() == 2 && names.getFirst().equals(MARKER)
        ? Optional.of(names.getLast())
        : Optional.empty();
  }
}
