package dev.varve.engine.differential;

import dev.varve.engine.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An expression.
 *
 * @param approximate whether two right engines may differ in its last digits
 * @param bound the largest absolute value that it can have, where it is a number
 */
record Expr(DataType type, boolean approximate, double bound, List<Part> parts) implements Part {
  /** {@code "{0} + {1}"} with the parts in the places. */
  static Expr of(DataType type, double bound, String template, Part... places) {
    boolean approximate = false;
    for (Part place : places) {
      approximate |= place instanceof Expr e && e.approximate;
    }
    return new Expr(type, approximate, bound, fill(template, places));
  }

  static Expr bool(String template, Part... places) {
    return of(DataType.BOOLEAN, 1, template, places);
  }

  private static List<Part> fill(String template, Part... places) {
    List<Part> parts = new ArrayList<>();
    int at = 0;
    for (int open = template.indexOf('{'); open >= 0; open = template.indexOf('{', at)) {
      parts.add(new Text(template.substring(at, open)));
      parts.add(places[template.charAt(open + 1) - '0']);
      at = open + 3;
    }
    parts.add(new Text(template.substring(at)));
    return parts;
  }

  Expr approximately() {
    return new Expr(type, true, bound, parts);
  }

  Family family() {
    return Family.of(type);
  }

  @Override
  public String sql() {
    return parts.stream().map(Part::sql).collect(Collectors.joining());
  }

  List<Expr> smaller() {
    List<Expr> all = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Expr child && child.family() == family()) {
        all.add(child);
      }
    }
    for (List<Part> with : Part.smallerElements(parts, Expr::smallerPart)) {
      all.add(new Expr(type, approximate, bound, with));
    }
    return all;
  }

  private static List<? extends Part> smallerPart(Part part) {
    return switch (part) {
      case Text text -> List.of();
      case Expr child -> child.smaller();
      case Query query -> query.smaller();
    };
  }
}
