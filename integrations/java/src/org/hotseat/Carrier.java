// integrations/java/src/org/hotseat/Carrier.java — a thread that runs virtual threads, and its slot.
package org.hotseat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * A worker of a {@link CarrierPool}. Only code that runs on this very thread touches its fields:
 * its own loop, or the virtual thread mounted on it, which can move only where it suspends. So
 * little here is atomic: the count of turns, and the slot, which the nudge empties if the carrier
 * does not get round to it.
 *
 * <p>C1: while a virtual thread runs user code, {@link #next} is empty and {@link #taking} is
 * false. A thread that fills the slot suspends at once, or empties it again. A pinned thread blocks
 * the carrier instead, which cannot be known in advance; then the nudge empties the slot.
 */
final class Carrier extends ForkJoinWorkerThread {
  /** How many threads in a row run out of the slot while others wait in the queue. */
  private static final int SLOT_LIMIT = 64;

  private static final VarHandle TURNS;
  private static final VarHandle NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TURNS = lookup.findVarHandle(Carrier.class, "turns", long.class);
      NEXT = lookup.findVarHandle(Carrier.class, "next", Runnable.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private static final boolean AVAILABLE = JdkInternals.problem() == null;

  private final CarrierPool pool;

  /**
   * The slot: what this carrier runs as soon as the mounted thread has suspended. Only the carrier
   * fills it. (N): filling it is a release; taking it out, here or by the nudge, an acquire.
   */
  private Runnable next;

  /** The next continuation to become ready on this carrier goes into the slot. */
  private boolean taking;

  /**
   * How many {@link ExchangeLock}s the mounted thread owns. Only a hint: a thread that suspends
   * elsewhere than in one of our locks leaves its number behind.
   */
  private int sections;

  /**
   * There is work for another carrier, which has not been woken: the heir could not wait for that.
   */
  private boolean owesWake;

  /**
   * How often a thread was mounted here. Others read it to see whether this carrier makes progress.
   */
  private long turns;

  /** For the nudge: the turns at its last look, and the looks since they last changed. */
  private long turnsSeen;
  private int looksWithoutTurn;

  /** For the nudge: what was in the slot at its last look. */
  private Runnable nextSeen;

  Carrier(CarrierPool pool) {
    super(pool);
    this.pool = pool;
  }

  @Override
  protected void onStart() {
    pool.add(this);
  }

  @Override
  protected void onTermination(Throwable error) {
    pool.remove(this);
  }

  /** Called by the nudge: for how many of its looks there has been no turn; 0 if there was one. */
  int looksWithoutTurn() {
    long now = (long) TURNS.getOpaque(this);
    looksWithoutTurn = now == turnsSeen ? looksWithoutTurn + 1 : 0;
    turnsSeen = now;
    return looksWithoutTurn;
  }

  /** The carrier that runs the calling thread; null if it is not one of ours. */
  static Carrier current() {
    return AVAILABLE && JdkInternals.currentCarrier() instanceof Carrier carrier
        ? carrier : null;
  }

  CarrierPool pool() {
    return pool;
  }

  void enterSection() {
    ++sections;
  }

  void leaveSection() {
    if (sections > 0) {
      --sections;
    }
  }

  int sections() {
    return sections;
  }

  void restoreSections(int count) {
    sections = count;
  }

  /** Whether the next continuation to become ready on this carrier goes into the slot. */
  void setTaking(boolean on) {
    taking = on;
  }

  /** Puts a continuation that became ready into the slot, if requested and possible. */
  boolean take(Runnable continuation) {
    if (!taking || hasNext()) {
      return false;
    }
    taking = false;
    NEXT.setRelease(this, continuation);  // (N)
    return true;
  }

  /** Takes out what is in the slot; null if it is empty. */
  private Runnable takeNext() {
    return hasNext() ? (Runnable) NEXT.getAndSet(this, null) : null;  // (N)
  }

  /**
   * Called by the nudge: takes out what has been in the slot since its last look, as the thread
   * that filled it has blocked the carrier. Null if there is no such continuation.
   */
  Runnable takeStuck() {
    Runnable now = (Runnable) NEXT.getOpaque(this);
    boolean isStuck = now != null && now == nextSeen;
    nextSeen = now;
    return isStuck && NEXT.compareAndSet(this, now, null) ? now : null;  // (N)
  }

  /** Puts a continuation into the queue, unless it belongs in the slot. */
  void enqueue(Runnable continuation) {
    if (hasNext() && !owesWake) {
      owesWake = pool.enqueueQuietly(continuation);  // The heir waits in the slot.
    } else {
      owesWake = false;  // Pays a debt as well: one carrier is woken.
      pool.enqueueHere(continuation);
    }
  }

  boolean owesWake() {
    return owesWake;
  }

  /** Wakes a carrier for the thread that left when the last section was passed on. */
  void payWake() {
    if (owesWake) {
      owesWake = false;
      pool.wakeOne();
    }
  }

  boolean hasNext() {
    return NEXT.getOpaque(this) != null;
  }

  /**
   * Moves the slot's continuation to the queue: the thread that filled the slot did not suspend.
   */
  void emptySlot() {
    Runnable continuation = takeNext();
    if (continuation != null) {
      pool.enqueueHere(continuation);
    }
  }

  /** Runs a continuation from a queue, then what was exchanged for it, and so on. */
  void run(Runnable continuation) {
    int fromSlot = 0;
    for (Runnable each = continuation; each != null; ) {
      TURNS.setOpaque(this, turns + 1);
      each.run();
      taking = false;
      sections = 0;
      if (++fromSlot > SLOT_LIMIT) {
        emptySlot();  // Two threads that pass a lock back and forth must not keep the carrier.
      }
      each = takeNext();
    }
  }
}
