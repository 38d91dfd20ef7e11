// integrations/java/src/org/hotseat/LockCore.java — who is next? A word, a line and its guard.
package org.hotseat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The state of an {@link ExchangeLock}. Any thread may take the lock when it is free, as with
 * {@code ReentrantLock}: that costs nothing, and short sections live on it. But one that waits is
 * passed over a limited number of times, and then gets the lock handed over.
 *
 * <p>The word is a set of bits:
 *
 * <pre>
 *   LOCKED    somebody owns the lock
 *   LINE      the line is not empty; changed under the guard only
 *   SPINNER   a running thread watches the word, and takes the lock when it is free
 *   CALLED    the first of the line was woken, and takes the lock if it is free when it runs
 *   URGENT    the first of the line came in vain: the next release must hand over to it
 * </pre>
 *
 * <p>L1: if the line is not empty, then LOCKED, SPINNER or CALLED is set: somebody will come by
 * and see to the line. Who gives up being one of these looks at the word in the same step.
 *
 * <p>L2: {@code owner}, {@code holds} and {@code passedOver} are written by the owner only, or by
 * the one who hands over on behalf of the heir, before it says so.
 *
 * <p>Orders: (A) taking the lock is an acquire, (R) letting it go a release; both are the same
 * read-modify-write of the word. (B) and (F) are those of the guard. (G) is in {@link Waiter}.
 */
final class LockCore {
  private static final int LOCKED = 1;
  private static final int LINE = 2;
  private static final int SPINNER = 4;
  private static final int CALLED = 8;
  private static final int URGENT = 16;

  /** How often a line is passed over by threads that spin. */
  private static final int PASS_OVER_LIMIT = Integer.getInteger("hotseat.pass", 64);

  private static final int BRIEF_TRIES = Integer.getInteger("hotseat.brief", 6);

  /** How often the first of the line is called in vain before the lock is handed to it. */
  private static final int MISS_LIMIT = Integer.getInteger("hotseat.miss", 3);

  private static final VarHandle WORD;
  private static final VarHandle GUARD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WORD = lookup.findVarHandle(LockCore.class, "word", int.class);
      GUARD = lookup.findVarHandle(LockCore.class, "guard", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private int word;
  private int guard;
  private Thread owner;
  private int holds;
  private int passedOver;
  private final WaiterLine line = new WaiterLine();
  private final SpinBudget spinning = new SpinBudget();

  // ---- what is known about the owner

  boolean isOwner(Thread thread) {
    return owner == thread;
  }

  int holds() {
    return holds;
  }

  boolean isLocked() {
    return (look() & LOCKED) != 0;
  }

  Thread owner() {
    return owner;
  }

  // ---- taking

  /** Takes the lock if it is free: one step, whoever may wait. */
  boolean tryTake(Thread self) {
    if (tryTakeFrom(look(), 0)) {
      own(self, 1);
      return true;
    }
    return false;
  }

  /** Deeper into a lock that self owns. */
  void takeAgain() {
    if (holds == Integer.MAX_VALUE) {
      throw new Error("the lock is held too often");
    }
    ++holds;
  }

  /**
   * Takes the lock, at once or after waiting.
   *
   * @param wait what ends the wait but the lock
   * @return false if the time was over before
   */
  boolean take(Thread self, int depth, Wait wait) throws InterruptedException {
    if (spin(self, depth)) {
      return true;
    }
    Waiter waiter = new Waiter(self, depth);
    return join(waiter) || stay(waiter, wait);
  }

  /** Waits in the line until the lock is ours, or `wait` ends it. */
  boolean stay(Waiter waiter, Wait wait) throws InterruptedException {
    boolean interrupted = false;
    try {
      for (;;) {
        int turn = waiter.turn();
        if (turn == Waiter.GRANTED || (turn == Waiter.CALLED && answer(waiter))) {
          return true;
        }
        if (interrupted && wait.isInterruptible()) {
          if (leave(waiter)) {
            interrupted = false;
            throw new InterruptedException();
          }
          return true;
        }
        if (wait.isOver()) {
          return !leave(waiter);
        }
        HandOver.park(this, wait.remaining());
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        waiter.thread.interrupt();
      }
    }
  }

  // ---- letting go

  /** Gives up one hold; the last one lets go. */
  void release() {
    if (--holds == 0) {
      letGo(false);
    }
  }

  /** Gives up all holds, of a thread that parks next. */
  int releaseAll() {
    int depth = holds;
    holds = 0;
    letGo(true);
    return depth;
  }

  private void letGo(boolean parksNext) {
    owner = null;
    int seen = look();
    if ((seen & (LINE | CALLED)) == LINE
        || !WORD.compareAndSet(this, seen, seen & ~LOCKED)) {
      letGoContended(parksNext);
    }
  }

  private void letGoContended(boolean parksNext) {
    for (;;) {
      int seen = look();
      if ((seen & LINE) == 0 || isSomebodyComing(seen)) {
        if (WORD.compareAndSet(this, seen, seen & ~LOCKED)) {
          return;
        }
        continue;
      }
      Carrier carrier = Carrier.current();
      if ((seen & URGENT) != 0 || parksNext || passedOver >= PASS_OVER_LIMIT
          || (carrier != null && carrier.sections() == 0 && carrier.pool().hasIdle())) {
        if (handOver(parksNext)) {
          return;
        }
      } else if (call()) {
        return;
      }
    }
  }

  private boolean isSomebodyComing(int seen) {
    if ((seen & CALLED) != 0) {
      return true;
    }
    return (seen & (SPINNER | URGENT)) == SPINNER && ++passedOver < PASS_OVER_LIMIT;
  }

  /** The first of the line becomes the owner. False if all have left. */
  private boolean handOver(boolean parksNext) {
    lockGuard();
    Waiter heir = line.first();
    if (heir == null) {
      unlockGuard();
      return false;
    }
    removeFirst(heir);
    own(heir.thread, heir.holds);
    Thread thread = heir.thread;
    heir.setTurn(Waiter.GRANTED);
    unlockGuard();
    if (parksNext) {
      HandOver.beforePark(thread);
    } else {
      HandOver.exchange(thread);
    }
    return true;
  }

  /** The lock becomes free; the first of the line is told. False if all have left. */
  private boolean call() {
    lockGuard();
    Waiter first = line.first();
    if (first == null) {
      unlockGuard();
      return false;
    }
    first.setTurn(Waiter.CALLED);
    for (int seen = look(); !WORD.compareAndSet(this, seen, seen & ~LOCKED | CALLED); ) {
      seen = look();
    }
    unlockGuard();
    LockSupport.unpark(first.thread);
    return true;
  }

  // ---- the line

  /** Puts a waiter into the line, unless the lock is free: then it is taken. */
  private boolean join(Waiter waiter) {
    lockGuard();
    for (;;) {
      int seen = look();
      if (tryTakeFrom(seen, 0)) {
        unlockGuard();
        own(waiter.thread, waiter.holds);
        return true;
      }
      if ((seen & LOCKED) != 0 && WORD.compareAndSet(this, seen, seen | LINE)) {
        line.add(waiter);
        unlockGuard();
        return false;
      }
    }
  }

  /** From the line of a condition to that of the lock; by the owner, under the guard. */
  void moveHere(Waiter waiter) {
    waiter.line.remove(waiter);
    line.add(waiter);
    WORD.getAndBitwiseOr(this, LINE);
  }

  /** Out of the line, without the lock. False if it is too late: the lock is ours. */
  private boolean leave(Waiter waiter) {
    lockGuard();
    int turn = waiter.turn();
    if (turn == Waiter.GRANTED) {
      unlockGuard();
      return false;
    }
    boolean wasFirst = line.first() == waiter;
    line.remove(waiter);
    Waiter called = null;
    for (;;) {
      int seen = look();
      int left = wasFirst ? seen & ~URGENT : seen;
      called = null;
      if (line.isEmpty()) {
        left &= ~(LINE | CALLED);
      } else if (turn == Waiter.CALLED) {
        if ((seen & LOCKED) != 0) {
          left &= ~CALLED;
        } else {
          called = line.first();  // L1: the call is passed on.
        }
      }
      if (WORD.compareAndSet(this, seen, left)) {
        break;
      }
    }
    if (called != null) {
      called.setTurn(Waiter.CALLED);
    }
    unlockGuard();
    if (called != null) {
      LockSupport.unpark(called.thread);
    }
    return true;
  }

  /** A waiter that was called takes the lock, or waits on and has it handed over next. */
  private boolean answer(Waiter waiter) {
    long start = System.nanoTime();
    int budget = spinning.budget();
    do {
      if (tryTakeFrom(look(), 0)) {
        takeAnswered(waiter);
        return true;
      }
      Thread.onSpinWait();
    } while (System.nanoTime() - start < budget);
    int urgent = ++waiter.missed < MISS_LIMIT ? 0 : URGENT;
    lockGuard();
    for (;;) {
      int seen = look();
      if ((seen & LOCKED) == 0) {
        if (tryTakeFrom(seen, 0)) {
          unlockGuard();
          takeAnswered(waiter);
          return true;
        }
      } else if (WORD.compareAndSet(this, seen, seen & ~CALLED | urgent)) {
        waiter.setTurn(Waiter.WAITING);
        unlockGuard();
        return false;
      }
    }
  }

  private void takeAnswered(Waiter waiter) {
    lockGuard();
    removeFirst(waiter);
    unlockGuard();
    own(waiter.thread, waiter.holds);
  }

  /** Under the guard, by the owner. */
  private void removeFirst(Waiter waiter) {
    line.remove(waiter);
    passedOver = 0;
    int gone = line.isEmpty() ? LINE | CALLED | URGENT : CALLED | URGENT;
    WORD.getAndBitwiseAnd(this, ~gone);
  }

  boolean hasLine() {
    return (look() & LINE) != 0;
  }

  int lineLength() {
    lockGuard();
    int length = line.length();
    unlockGuard();
    return length;
  }

  // ---- spinning

  /** Watches the word for a while, if nobody else does. True if the lock is ours. */
  private boolean spin(Thread self, int depth) {
    int budget = spinning.budget();
    if (budget == 0) {
      return false;
    }
    for (;;) {
      int seen = look();
      if (tryTakeFrom(seen, 0)) {
        own(self, depth);
        return true;
      }
      if ((seen & (SPINNER | URGENT)) != 0) {
        return tryBriefly(self, depth);
      }
      if ((seen & LOCKED) != 0 && WORD.compareAndSet(this, seen, seen | SPINNER)) {
        break;
      }
    }
    long start = System.nanoTime();
    long now = start;
    do {
      for (int i = 0; i < 8; ++i) {
        if (tryTakeFrom(look(), SPINNER)) {
          spinning.succeeded(now - start);
          own(self, depth);
          return true;
        }
        Thread.onSpinWait();
      }
      now = System.nanoTime();
    } while (now - start < budget);
    for (;;) {
      int seen = look();
      if (tryTakeFrom(seen, SPINNER)) {
        own(self, depth);
        return true;
      }
      if ((seen & LOCKED) != 0 && WORD.compareAndSet(this, seen, seen & ~SPINNER)) {
        spinning.failed();
        return false;
      }
    }
  }

  /** As long as it takes to join the line, for those who may not spin. */
  private boolean tryBriefly(Thread self, int depth) {
    for (int i = 0; i < BRIEF_TRIES; ++i) {
      Thread.onSpinWait();
      if (tryTakeFrom(look(), 0)) {
        own(self, depth);
        return true;
      }
    }
    return false;
  }

  // ---- words

  private int look() {
    return (int) WORD.getOpaque(this);
  }

  /** (A) */
  private boolean tryTakeFrom(int seen, int gone) {
    return (seen & LOCKED) == 0
        && WORD.compareAndSet(this, seen, (seen | LOCKED) & ~gone);
  }

  private void own(Thread thread, int depth) {
    owner = thread;
    holds = depth;
  }

  /** (B) acquire, with (F). Held for some ten instructions, and never across a suspension. */
  void lockGuard() {
    for (int tries = 1; !GUARD.compareAndSet(this, 0, 1); ++tries) {
      if (tries % 256 == 0) {
        Thread.yield();  // Its holder has lost the CPU.
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** (F) release, with (B). */
  void unlockGuard() {
    GUARD.setRelease(this, 0);
  }
}
