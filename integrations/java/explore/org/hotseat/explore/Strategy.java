// integrations/java/explore/org/hotseat/explore/Strategy.java — chooses the next schedule.
package org.hotseat.explore;

/** Makes the decisions of one schedule after another. */
interface Strategy {
  /** What a decision is about. */
  enum Kind {
    /** Which strand goes on; the first one is the default. */
    STRAND,
    /** Something that the scenario leaves open. */
    DATA,
    /**
     * Whether something happens that may happen, but mostly does not, such as a spurious wake-up.
     */
    CHANCE
  }

  /** Prepares the next schedule. False if there are no more. */
  boolean begin();

  /** A number below {@code options}; 0 is the default. */
  int decide(Kind kind, int options);

  /**
   * Which strand goes on.
   *
   * @param strands those that can run; the rest of the options are timers that may fire
   * @param runnable how many strands there are
   */
  default int pick(Strand[] strands, int runnable, int options) {
    return decide(Kind.STRAND, options);
  }

  /** Called when a strand says that it waits for others. */
  default void paused(Strand strand) {}
}
