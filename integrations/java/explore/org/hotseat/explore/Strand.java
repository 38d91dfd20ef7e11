// integrations/java/explore/org/hotseat/explore/Strand.java — one of the threads of a schedule.
package org.hotseat.explore;

import java.util.function.BooleanSupplier;

/** A thread or a carrier of the model. One runs at a time; the {@link Run} decides which. */
public final class Strand {
  static final long NEVER = Long.MAX_VALUE;

  final int id;
  final Coroutine coroutine;

  /** Whether the schedule can end without it. */
  final boolean daemon;

  boolean blocked;
  boolean done;

  /** When the timer of a blocked strand is due, and what it does. */
  long due = NEVER;
  Runnable timer;

  /** What a blocked strand waits for outside the exploration, and what happens then. */
  BooleanSupplier condition;
  Runnable conditionMet;

  /** For strategies that have priorities. */
  long priority;

  private final String name;
  private final Object thread;
  private final Clock clock = new Clock();

  Strand(int id, String name, Object thread, boolean daemon, Runnable body) {
    this.id = id;
    this.name = name;
    this.thread = thread;
    this.daemon = daemon;
    coroutine = new Coroutine(body);
    clock.advance(id);
  }

  /** The model's thread that this strand runs. */
  public Object thread() {
    return thread;
  }

  public Clock clock() {
    return clock;
  }

  /**
   * Starts a new moment: a strand that has read the clock before does not know what comes next.
   */
  public void advance() {
    clock.advance(id);
  }

  /** The moment of this strand, for {@link #knows}. */
  public int now() {
    return clock.at(id);
  }

  /** Whether a moment of another strand happened before. */
  public boolean knows(Strand other, int moment) {
    return clock.knows(other.id, moment);
  }

  @Override
  public String toString() {
    return name;
  }
}
