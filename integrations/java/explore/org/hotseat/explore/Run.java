// integrations/java/explore/org/hotseat/explore/Run.java — one schedule of a scenario.
package org.hotseat.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The machine of the model: strands, one of which runs at a time, and a virtual clock. Each access
 * to memory that threads share is a {@link #point}, where another strand may go on instead. The
 * strategy decides, so that the same decisions give the same schedule.
 */
public final class Run {
  /** A schedule with more steps never ends. */
  private static final int MOST_STEPS = 5_000;

  /** How far the clock advances at each look. */
  private static final long LOOK_NANOS = 1_000;

  private final Decisions decisions;
  private final boolean tracing;
  private final Races races = new Races(this);
  private final List<Strand> strands = new ArrayList<>();
  private final Options options = new Options();

  private Strand current;
  private Strand next;
  private Throwable failure;
  private long time;
  private int steps;
  private int unfinished;
  private boolean observing;

  Run(Strategy strategy, boolean tracing) {
    decisions = new Decisions(strategy);
    this.tracing = tracing;
  }

  // ---- the strands

  /** Adds a strand; if it is not {@code ready}, it is blocked until {@link #wake}. */
  public Strand add(String name, Object thread, boolean daemon, boolean ready, Runnable body) {
    Strand[] self = new Strand[1];
    Strand strand = new Strand(strands.size(), name, thread, daemon, () -> live(self[0], body));
    self[0] = strand;
    strand.blocked = !ready;
    strands.add(strand);
    if (!daemon) {
      ++unfinished;
    }
    return strand;
  }

  private void live(Strand self, Runnable body) {
    try {
      body.run();
    } catch (Throwable thrown) {
      if (failure == null) {
        failure = thrown;
      }
    }
    self.done = true;
    if (!self.daemon) {
      --unfinished;
    }
    if (failure == null) {
      guarded(() -> selectNext(false));
    }
  }

  private void guarded(Runnable action) {
    try {
      action.run();
    } catch (Throwable thrown) {
      if (failure == null) {
        failure = thrown;
      }
    }
  }

  /** Runs the schedule to its end. */
  void execute() {
    guarded(() -> selectNext(false));
    while (failure == null && next != null) {
      current = next;
      next = null;
      current.coroutine.resume();
    }
    current = null;
  }

  /** The strand that runs; null outside the schedule, as in a timer. */
  public Strand current() {
    return current;
  }

  public Races races() {
    return races;
  }

  // ---- what strands do

  /** Call it before anything that other strands can see. */
  public void point() {
    if (!isIdle()) {
      step(true);
    }
  }

  /** The strand waits for others without being blocked: they go on, if they can. */
  public void pause() {
    if (!isIdle()) {
      decisions.paused(current);
      step(false);
    }
  }

  /** Outside the schedule, and while oracles look at its state, nothing is a step. */
  private boolean isIdle() {
    if (failure != null) {
      fail("");  // Leaves loops and blocks that a failure unwinds through.
    }
    return current == null || observing;
  }

  private void step(boolean mayStay) {
    if (++steps > MOST_STEPS) {
      fail("no end: " + MOST_STEPS + " steps" + states());
    }
    selectNext(mayStay);
    switchToNext();
  }

  private void switchToNext() {
    if (next != current) {
      Coroutine.suspend();
    }
    next = null;
  }

  /** Blocks the running strand until it is woken, or the time has passed. */
  public void block(long nanos) {
    if (isIdle()) {
      return;
    }
    Strand self = current;
    self.blocked = true;
    arm(self, nanos, () -> wake(self));
    selectNext(false);
    switchToNext();
  }

  /** Blocks the running strand, and resumes another, blocked one in its place. */
  public void transfer(Strand to) {
    if (isIdle()) {
      return;
    }
    if (to.done) {
      fail(to + " has ended, and is to run again");
    }
    to.clock().join(current.clock());
    current.advance();
    current.blocked = true;
    wake(to);
    next = to;
    switchToNext();
  }

  public void wake(Strand strand) {
    strand.blocked = false;
    strand.due = Strand.NEVER;
  }

  /** Sets the timer of a blocked strand; it may fire late, and 0 means never. */
  public void arm(Strand strand, long nanos, Runnable timer) {
    strand.due = nanos == 0 || nanos >= Strand.NEVER - time ? Strand.NEVER : time + nanos;
    strand.timer = timer;
  }

  /** Calls {@code met} as soon as the condition holds that a blocked strand waits for. */
  public void when(Strand strand, BooleanSupplier condition, Runnable met) {
    strand.condition = condition;
    strand.conditionMet = met;
  }

  /** Whether a condition holds; looking at it is not a step. */
  public boolean holds(BooleanSupplier condition) {
    boolean before = observing;
    observing = true;
    try {
      return condition.getAsBoolean();
    } finally {
      observing = before;
    }
  }

  /** Reads the clock, which advances with each look. */
  public long look() {
    point();
    return time += LOOK_NANOS;
  }

  // ---- decisions

  /** Decides something that the scenario leaves open. */
  public int choose(int count) {
    return decisions.decide(Strategy.Kind.DATA, count);
  }

  /** Decides whether something happens that may happen, but mostly does not. */
  public boolean chance() {
    return !isIdle() && decisions.decide(Strategy.Kind.CHANCE, 2) == 1;
  }

  /** Returns the decisions in the form that {@link Replay} reads. */
  String decisions() {
    return decisions.toString();
  }

  private void selectNext(boolean mayStay) {
    for (next = null; next == null && failure == null && unfinished > 0; ) {
      meetConditions();
      options.collect(strands, current, mayStay, time);
      if (options.isEmpty()) {
        fail("deadlock" + states());
      }
      int picked = decisions.pick(options);
      if (options.isTimer(picked)) {
        fire(options.get(picked));
      } else {
        next = options.get(picked);
      }
    }
  }

  private void fire(Strand strand) {
    note("the timer of " + strand);
    time = Math.max(time, strand.due);
    strand.due = Strand.NEVER;
    fromOutside(strand.timer);
  }

  private void meetConditions() {
    for (Strand each : strands) {
      if (each.condition != null && holds(each.condition)) {
        each.condition = null;
        fromOutside(each.conditionMet);
      }
    }
  }

  /** Runs {@code action} as none of the strands. */
  private void fromOutside(Runnable action) {
    Strand before = current;
    current = null;
    action.run();
    current = before;
  }

  // ---- oracles

  /**
   * Lets an oracle look at the state, which is neither a step nor an access of the running strand.
   */
  public void observe(Runnable look) {
    holds(() -> {
      look.run();
      return true;
    });
  }

  /** Whether current actions are outside the schedule. */
  public boolean isObserving() {
    return observing || current == null;
  }

  /** Ends the schedule. */
  public void fail(String message) {
    if (failure == null) {
      failure = new Failure(message);
      note(message);
    }
    throw (Failure) (failure instanceof Failure ? failure : new Failure(message));
  }

  /** What was wrong; null if nothing was. */
  Throwable failure() {
    return failure;
  }

  /** Fails after the end of the schedule. */
  void fail(Throwable thrown) {
    if (failure == null) {
      failure = thrown;
    }
  }

  public boolean isTracing() {
    return tracing;
  }

  /** Notes what happens, for a replay. */
  public void note(String text) {
    if (tracing && !observing) {
      System.out.printf("%6d %5d us  %-10s %s%n", steps, time / 1000,
          current == null ? "" : current, text);
    }
  }

  private String states() {
    StringBuilder text = new StringBuilder();
    for (Strand each : strands) {
      text.append("; ").append(each).append(
          each.done ? " has ended" : each.blocked ? " is blocked" : " could run");
    }
    return text.toString();
  }
}
