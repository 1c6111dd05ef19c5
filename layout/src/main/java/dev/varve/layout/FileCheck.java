package dev.varve.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a comparison of all rows of a file found. The file is the one of that size and etag at the
 * path; each fact found is {@link Trust#VERIFIED} or {@link Trust#VIOLATED} and replaces what was
 * known of the same ordering.
 */
public record FileCheck(
    String path, long sizeBytes, Optional<String> etag, List<OrderingFact> orderings) {
  public FileCheck {
    orderings = List.copyOf(orderings);
    if (orderings.stream().anyMatch(fact -> fact.trust() == Trust.ASSERTED)) {
      throw new IllegalArgumentException("the check of " + path + " found nothing out");
    }
  }

  /** What is known of the file after the check. */
  public FileFacts applyTo(FileFacts facts) {
    List<OrderingFact> orders = new ArrayList<>(orderings);
    for (OrderingFact known : facts.orderings()) {
      orderings.stream()
          .filter(found -> replaces(found, known))
          .findFirst()
          .ifPresentOrElse(
              found -> {
                if (!found.ordering().equals(known.ordering())) {
                  orders.add(new OrderingFact(known.ordering(), Trust.VIOLATED, Optional.empty()));
                }
              },
              () -> orders.add(known));
    }
    return facts.withOrderings(orders);
  }

  /** A file that is out of one order is out of every order that begins with it. */
  private static boolean replaces(OrderingFact found, OrderingFact known) {
    return found.trust() == Trust.VIOLATED
        ? known.ordering().satisfies(found.ordering())
        : known.ordering().equals(found.ordering());
  }
}
