package dev.varve.engine.kernel;

import dev.varve.engine.batch.BooleanColumn;
import dev.varve.engine.batch.Column;

/** Row-wise choice between two columns of one type. */
public final class Choosing {
  private Choosing() {}

  /**
   * In each row the challenger if {@code challenger op champion}, or if the champion is null; else
   * the champion.
   */
  public static Column better(Column champion, Column challenger, ComparisonOp op) {
    int n = champion.length();
    BooleanColumn wins = Comparisons.compare(op, challenger, champion);
    int[] kept = new int[n];
    int[] changed = new int[n];
    int keptCount = 0;
    int changedCount = 0;
    for (int i = 0; i < n; i++) {
      boolean won = !wins.isNull(i) && wins.get(i) != 0;
      if (won || champion.isNull(i)) {
        changed[changedCount++] = i;
      } else {
        kept[keptCount++] = i;
      }
    }
    if (changedCount == 0) {
      return champion;
    }
    RowScatter out = new RowScatter(champion.type(), n);
    out.put(champion.take(kept, keptCount), kept, keptCount);
    out.put(challenger.take(changed, changedCount), changed, changedCount);
    return out.build();
  }
}
