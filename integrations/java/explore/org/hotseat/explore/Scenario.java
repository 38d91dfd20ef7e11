// integrations/java/explore/org/hotseat/explore/Scenario.java — a small program to be explored.
package org.hotseat.explore;

/** Threads that use locks, and what must hold. */
public interface Scenario {
  String name();

  /**
   * Adds the strands of one schedule.
   *
   * @return what must hold at its end
   */
  Runnable begin(Run run);
}
