// integrations/java/src/org/hotseat/Carrier.java — a thread that runs virtual threads, and its slot.
package org.hotseat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ForkJoinWorkerThread;

/**
 * A worker of a {@link CarrierPool}. Its fields are touched only by code that runs on this
 * very thread, either its own loop or the virtual thread mounted on it, which cannot move
 * elsewhere but where it suspends. So little here is atomic: the count of turns, and the slot,
 * which the nudge empties if the carrier does not get round to it.
 *
 * <p>C1: while a virtual thread runs user code, {@link #next} is empty and {@link #taking} is
 * false. A thread that fills the slot suspends at once, or empties it again. If it is pinned it
 * blocks the carrier instead, and nothing tells so in advance; then the nudge empties the slot.
 */
final class Carrier extends ForkJoinWorkerThread {
  /** How many threads run out of the slot, one after the other, while others wait in the queue. */
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
   * fills it. (N): a release, with the acquire where it is taken out, here or by the nudge.
   */
  private Runnable next;

  /** The next continuation that becomes ready on this carrier belongs into the slot. */
  private boolean taking;

  /**
   * How many {@link ExchangeLock}s the mounted thread owns. Only a hint: a thread that
   * suspends elsewhere than in one of our locks leaves its number behind.
   */
  private int sections;

  /** There is work for another carrier, which has not been woken: the heir had no time. */
  private boolean owesWake;

  /** How often a thread was mounted here. Others read it, to see whether this carrier goes on. */
  private long turns;

  /** The nudge's: the turns at its last look, and how many looks ago they were others. */
  private long turnsSeen;
  private int looksWithoutTurn;

  /** The nudge's: what was in the slot at its last look. */
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

  /** By the nudge: since how many of its looks there was no turn; 0 if there was one. */
  int looksWithoutTurn() {
    long now = (long) TURNS.getOpaque(this);
    looksWithoutTurn = now == turnsSeen ? looksWithoutTurn + 1 : 0;
    turnsSeen = now;
    return looksWithoutTurn;
  }

  /** The carrier that runs the calling thread; null if it is none of ours. */
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

  /** Says where the next continuation belongs that becomes ready on this carrier. */
  void setTaking(boolean on) {
    taking = on;
  }

  /** Puts a continuation that became ready into the slot, if it was asked to and can. */
  boolean take(Runnable continuation) {
    if (!taking || hasNext()) {
      return false;
    }
    taking = false;
    NEXT.setRelease(this, continuation);  // (N)
    return true;
  }

  /** Takes out what is in the slot; null if nothing is. */
  private Runnable takeNext() {
    return hasNext() ? (Runnable) NEXT.getAndSet(this, null) : null;  // (N)
  }

  /**
   * By the nudge: takes out what was in the slot at its last look already, since the thread that
   * filled it has blocked the carrier. Null if there is nothing like that.
   */
  Runnable takeStuck() {
    Runnable now = (Runnable) NEXT.getOpaque(this);
    boolean isStuck = now != null && now == nextSeen;
    nextSeen = now;
    return isStuck && NEXT.compareAndSet(this, now, null) ? now : null;  // (N)
  }

  /** Into the queue, unless it belongs into the slot. */
  void enqueue(Runnable continuation) {
    if (hasNext() && !owesWake) {
      owesWake = pool.enqueueQuietly(continuation);  // The heir waits in the slot.
    } else {
      owesWake = false;  // What was owed is paid as well: one carrier is woken.
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

  /** Gives what is in the slot to the queue: the thread that filled it did not suspend. */
  void emptySlot() {
    Runnable continuation = takeNext();
    if (continuation != null) {
      pool.enqueueHere(continuation);
    }
  }

  /** Runs a continuation out of a queue, and then what was exchanged for it, and so on. */
  void run(Runnable continuation) {
    int fromSlot = 0;
    for (Runnable each = continuation; each != null; ) {
      TURNS.setOpaque(this, turns + 1);
      each.run();
      taking = false;
      sections = 0;
      if (++fromSlot > SLOT_LIMIT) {
        emptySlot();  // Two threads that pass a lock to and fro must not keep the carrier for ever.
      }
      each = takeNext();
    }
  }
}
