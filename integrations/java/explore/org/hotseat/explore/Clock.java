// integrations/java/explore/org/hotseat/explore/Clock.java — happens-before, as a vector clock.
package org.hotseat.explore;

/** For each strand, how many of its releases are known. */
public final class Clock {
  /** Threads and carriers of a scenario. */
  static final int MOST_STRANDS = 12;

  private final int[] seen = new int[MOST_STRANDS];

  int at(int strand) {
    return seen[strand];
  }

  void advance(int strand) {
    ++seen[strand];
  }

  /** Whether the moment {@code at} of {@code strand} is known here. */
  boolean knows(int strand, int at) {
    return seen[strand] >= at;
  }

  /** Learns what {@code other} knows. */
  public void join(Clock other) {
    for (int i = 0; i < MOST_STRANDS; ++i) {
      if (seen[i] < other.seen[i]) {
        seen[i] = other.seen[i];
      }
    }
  }

  /** Knows what {@code other} knows, and nothing else. */
  public void set(Clock other) {
    System.arraycopy(other.seen, 0, seen, 0, MOST_STRANDS);
  }

  /** Knows nothing. */
  public void clear() {
    java.util.Arrays.fill(seen, 0);
  }
}
