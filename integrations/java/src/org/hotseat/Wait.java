// integrations/java/src/org/hotseat/Wait.java — what ends a wait other than its success.
package org.hotseat;

/** An interrupt, a deadline, or nothing. */
final class Wait {
  /** Nothing but success ends it. */
  static final Wait UNINTERRUPTIBLE = new Wait(false, false, 0);
  /** An interrupt ends it. */
  static final Wait INTERRUPTIBLE = new Wait(true, false, 0);

  private final boolean interruptible;
  private final boolean timed;
  private final long deadline;

  private Wait(boolean interruptible, boolean timed, long deadline) {
    this.interruptible = interruptible;
    this.timed = timed;
    this.deadline = deadline;
  }

  /** An interrupt ends it, or the end of the given time from now; a negative time counts as 0. */
  static Wait within(long nanos) {
    // Differences of nanoTime are right whether the sum wraps or not, unless it wraps backwards.
    return new Wait(true, true, System.nanoTime() + Math.max(0, nanos));
  }

  boolean isInterruptible() {
    return interruptible;
  }

  boolean isOver() {
    return timed && left() <= 0;
  }

  /** In ns; 0 or less if the time is over. */
  long left() {
    return deadline - System.nanoTime();
  }

  /** For park: in ns, at least 1; 0 if there is no limit. */
  long remaining() {
    return timed ? Math.max(1, left()) : 0;
  }
}
