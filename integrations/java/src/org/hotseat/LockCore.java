// integrations/java/src/org/hotseat/LockCore.java — who is next? A word, a line and its guard.
package org.hotseat;

import java.util.concurrent.locks.LockSupport;

/**
 * The state of an {@link ExchangeLock}. Any thread may take the lock when it is free, as with
 * {@code ReentrantLock}: that costs nothing, and short sections live on it. But one that waits is
 * passed over a limited number of times, and then gets the lock handed over.
 *
 * <p>L1: if the line is not empty, then LOCKED, SPINNER or CALLED is set: somebody will come by
 * and see to the line. Who gives up being one of these looks at the word in the same step.
 *
 * <p>L2: {@code owner}, {@code holds} and {@code passedOver} are written by the owner only, or by
 * the one who hands over on behalf of the heir, before it says so.
 */
final class LockCore extends LockWord {
  /** How often a line is passed over by threads that spin. */
  private static final int PASS_OVER_LIMIT = 64;

  /** How often the first of the line is called in vain before the lock is handed to it. */
  private static final int MISS_LIMIT = 3;

  private Thread owner;
  private int holds;
  private int passedOver;
  private final WaiterLine line = new WaiterLine();
  private final Spinner spinner = new Spinner(this);

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
    if (tryTake(look(), 0)) {
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
    if (spinner.spin()) {
      own(self, depth);
      return true;
    }
    Waiter waiter = new Waiter(self, depth);
    return join(waiter) || stay(waiter, wait);
  }

  /** Waits in the line until the lock is ours, or {@code wait} ends it. */
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
  void releaseAll() {
    holds = 0;
    letGo(true);
  }

  private void letGo(boolean parksNext) {
    owner = null;
    int seen = look();
    if ((seen & (LINE | CALLED)) == LINE || !change(seen, seen & ~LOCKED)) {
      letGoContended(parksNext);
    }
  }

  private void letGoContended(boolean parksNext) {
    for (;;) {
      int seen = look();
      if ((seen & LINE) == 0 || isSomebodyComing(seen)) {
        if (change(seen, seen & ~LOCKED)) {
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
    for (int seen = look(); !change(seen, seen & ~LOCKED | CALLED); ) {
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
      if (tryTake(seen, 0)) {
        unlockGuard();
        own(waiter.thread, waiter.holds);
        return true;
      }
      if ((seen & LOCKED) != 0 && change(seen, seen | LINE)) {
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
    set(LINE);
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
    Waiter called;
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
      if (change(seen, left)) {
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

  /** A waiter that was called takes the lock, or waits on; in the end it gets it handed over. */
  private boolean answer(Waiter waiter) {
    long start = System.nanoTime();
    int budget = spinner.budget();
    do {
      if (tryTake(look(), 0)) {
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
        if (tryTake(seen, 0)) {
          unlockGuard();
          takeAnswered(waiter);
          return true;
        }
      } else if (change(seen, seen & ~CALLED | urgent)) {
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
    clear(line.isEmpty() ? LINE | CALLED | URGENT : CALLED | URGENT);
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

  private void own(Thread thread, int depth) {
    owner = thread;
    holds = depth;
  }
}
