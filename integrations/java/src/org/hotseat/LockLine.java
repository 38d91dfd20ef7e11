// integrations/java/src/org/hotseat/LockLine.java — the threads that wait for a lock.
package org.hotseat;

import java.util.concurrent.locks.LockSupport;

/**
 * The line of a lock, and the bits of the word that describe it. The guard protects all of it.
 *
 * <p>L1: if the line is not empty, then LOCKED, SPINNER or CALLED is set, so that some thread will
 * see to the line. A thread that gives one of them up looks at the word in the same step.
 */
abstract class LockLine extends LockWord {
  private static final long serialVersionUID = 1;

  /** How often spinning threads have passed over the first in line; written only by the owner. */
  protected transient int passedOver;

  private final WaiterLine line = new WaiterLine();

  /** For monitoring; read it under the guard. */
  final WaiterLine line() {
    return line;
  }

  final boolean hasLine() {
    return (look() & LINE) != 0;
  }

  /** Call it under the guard. */
  protected final Waiter first() {
    return line.first();
  }

  /** Puts a waiter into the line. True if the lock was free instead: then it is taken. */
  protected final boolean join(Waiter waiter) {
    lockGuard();
    for (;;) {
      int seen = look();
      if (tryTake(seen, 0)) {
        unlockGuard();
        return true;
      }
      if ((seen & LOCKED) != 0 && change(seen, seen | LINE)) {
        line.add(waiter);
        unlockGuard();
        return false;
      }
    }
  }

  /**
   * Moves a waiter from a condition's line to the lock's; called by the owner, under the guard.
   */
  final void moveHere(Waiter waiter) {
    waiter.line.remove(waiter);
    line.add(waiter);
    set(LINE);
  }

  /** Frees the lock and tells the first in line. False if all have left. */
  protected final boolean call() {
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

  /** Leaves the line without the lock. False if it is too late: the lock is ours. */
  protected final boolean leave(Waiter waiter) {
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

  /** Called by the owner, under the guard. */
  protected final void removeFirst(Waiter waiter) {
    line.remove(waiter);
    passedOver = 0;
    clear(line.isEmpty() ? LINE | CALLED | URGENT : CALLED | URGENT);
  }
}
