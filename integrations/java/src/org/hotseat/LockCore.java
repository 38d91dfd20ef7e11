// integrations/java/src/org/hotseat/LockCore.java — how a lock is taken and passed on.
package org.hotseat;

/**
 * The state of an {@link ExchangeLock}. As with {@code ReentrantLock}, any thread may take the lock
 * when it is free: that costs nothing, and makes short sections fast. But a waiting thread is
 * passed over a limited number of times, and then the lock is handed over to it.
 *
 * <p>A fair lock neither spins nor calls: each release with a line hands over to the first. So L3:
 * on a fair lock LINE implies LOCKED, and a thread that finds it free overtakes none.
 *
 * <p>L2: {@code owner}, {@code holds} and {@code passedOver} are written only by the owner, or by
 * the thread that hands over on behalf of the heir, before it says so.
 */
final class LockCore extends LockLine {
  private static final long serialVersionUID = 1;

  /** How often spinning threads may pass over a line. */
  private static final int PASS_OVER_LIMIT = 64;

  /** How often the first in line is called in vain before the lock is handed to it. */
  private static final int MISS_LIMIT = 3;

  private final boolean fair;
  private final Spinner spinner = new Spinner(this);
  private transient Thread owner;
  private transient int holds;

  LockCore(boolean fair) {
    this.fair = fair;
  }

  boolean isFair() {
    return fair;
  }

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

  /** For monitoring; null if the lock is free. */
  Thread owner() {
    return isLocked() ? owner : null;
  }

  // ---- taking

  /** Takes the lock if it is free: one step, without a look at the line. */
  boolean tryTake(Thread self) {
    if (tryTake(look(), 0)) {
      own(self, 1);
      return true;
    }
    return false;
  }

  /** Takes a lock that self owns once more. */
  void takeAgain() {
    if (holds == Integer.MAX_VALUE) {
      throw new Error("Maximum lock count exceeded");
    }
    ++holds;
  }

  /**
   * Takes the lock, at once or after waiting.
   *
   * @param wait what ends the wait other than the lock
   * @return false if the time was over first
   */
  boolean take(Thread self, int depth, Wait wait) throws InterruptedException {
    if (!fair && spinner.spin()) {
      own(self, depth);
      return true;
    }
    Waiter waiter = new Waiter(self, depth);
    if (join(waiter)) {
      own(self, depth);
      return true;
    }
    return stay(waiter, wait);
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

  // ---- releasing

  /** Gives up one hold; the last one releases the lock. */
  void release() {
    if (--holds == 0) {
      letGo(false);
    }
  }

  /** Gives up all holds of a thread that is about to park. */
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
      if ((seen & LINE) == 0 || isSeenTo(seen)) {
        if (change(seen, seen & ~LOCKED)) {
          return;
        }
        continue;
      }
      Carrier carrier = Carrier.current();
      if (fair || parksNext || (seen & URGENT) != 0 || passedOver >= PASS_OVER_LIMIT
          || (carrier != null && carrier.sections() == 0 && carrier.pool().hasIdle())) {
        if (handOver(parksNext)) {
          return;
        }
      } else if (call()) {
        return;
      }
    }
  }

  /** L1: a thread will see to the line after the lock is free, and may pass it over once more. */
  private boolean isSeenTo(int seen) {
    if ((seen & CALLED) != 0) {
      return true;
    }
    return (seen & (SPINNER | URGENT)) == SPINNER && ++passedOver < PASS_OVER_LIMIT;
  }

  /** Makes the first in line the owner. False if all have left. */
  private boolean handOver(boolean parksNext) {
    lockGuard();
    Waiter heir = first();
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

  /** A called waiter takes the lock, or waits on; in the end the lock is handed over to it. */
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

  private void own(Thread thread, int depth) {
    owner = thread;
    holds = depth;
  }
}
