// integrations/java/explore/org/hotseat/explore/Bounded.java — all schedules with few deviations.
package org.hotseat.explore;

import java.util.Arrays;

/**
 * Depth first through all schedules that differ in at most {@code bound} decisions from the
 * default. What a scenario leaves open is tried in full and does not count.
 */
final class Bounded implements Strategy {
  private final int bound;
  private int[] decisions = new int[256];
  private int[] options = new int[256];
  private boolean[] free = new boolean[256];
  private int length;
  private int position;
  private boolean begun;

  Bounded(int bound) {
    this.bound = bound;
  }

  @Override
  public boolean begin() {
    if (begun && !advance()) {
      return false;
    }
    begun = true;
    position = 0;
    return true;
  }

  /**
   * Moves on to the next sequence of decisions: increments the last decision that has another
   * option.
   */
  private boolean advance() {
    length = position;  // Decisions of an earlier schedule beyond this point are void.
    int spent = 0;
    for (int i = 0; i < length; ++i) {
      spent += cost(i);
    }
    for (int i = length - 1; i >= 0; --i) {
      spent -= cost(i);
      if (decisions[i] + 1 < options[i] && (free[i] || spent < bound)) {
        ++decisions[i];
        length = i + 1;
        return true;
      }
    }
    return false;
  }

  private int cost(int i) {
    return decisions[i] != 0 && !free[i] ? 1 : 0;
  }

  @Override
  public int decide(Kind kind, int count) {
    if (position == decisions.length) {
      decisions = Arrays.copyOf(decisions, 2 * position);
      options = Arrays.copyOf(options, 2 * position);
      free = Arrays.copyOf(free, 2 * position);
    }
    if (position >= length) {
      decisions[position] = 0;
    }
    options[position] = count;
    free[position] = kind == Kind.DATA;
    return decisions[position++];
  }
}
