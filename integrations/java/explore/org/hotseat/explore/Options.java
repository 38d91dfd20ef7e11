// integrations/java/explore/org/hotseat/explore/Options.java — what can happen next.
package org.hotseat.explore;

import java.util.List;

/** First the strands that can run, then the timers that may fire. */
final class Options {
  private final Strand[] options = new Strand[2 * Clock.MOST_STRANDS];
  private int runnable;
  private int count;

  /** @param mayStay whether the current strand may go on */
  void collect(List<Strand> strands, Strand current, boolean mayStay, long time) {
    count = 0;
    collectRunnable(strands, current, mayStay);
    runnable = count;
    collectTimers(strands, time);
  }

  /** The default comes first: the current strand, or the next one in turn. */
  private void collectRunnable(List<Strand> strands, Strand current, boolean mayStay) {
    int size = strands.size();
    int first = current == null ? 0 : current.id;
    boolean currentCan = current != null && !current.blocked && !current.done;
    if (mayStay && currentCan) {
      options[count++] = current;
    }
    for (int i = current == null ? 0 : 1; i < size; ++i) {
      Strand each = strands.get((first + i) % size);
      if (!each.blocked && !each.done) {
        options[count++] = each;
      }
    }
    if (count == 0 && currentCan) {
      options[count++] = current;
    }
  }

  /** The timers that are due by now, or are the next to be due. */
  private void collectTimers(List<Strand> strands, long time) {
    long earliest = Strand.NEVER;
    for (Strand each : strands) {
      earliest = Math.min(earliest, each.due);
    }
    long soon = Math.max(time, earliest);
    for (Strand each : strands) {
      if (each.blocked && each.due != Strand.NEVER && each.due <= soon) {
        options[count++] = each;
      }
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  int size() {
    return count;
  }

  int runnable() {
    return runnable;
  }

  Strand[] strands() {
    return options;
  }

  Strand get(int i) {
    return options[i];
  }

  boolean isTimer(int i) {
    return i >= runnable;
  }
}
