// integrations/java/src/org/hotseat/Waiter.java — a thread that waits for a lock or a condition.
package org.hotseat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A thread in a line. The guard of the lock protects all fields except {@link #turn}, through which
 * the waiter learns its fate.
 */
final class Waiter {
  /** In a line; nothing has happened yet. */
  static final int WAITING = 0;
  /** First in line when the lock became free: take it, unless another thread is faster. */
  static final int CALLED = 1;
  /** The lock is yours. */
  static final int GRANTED = 2;

  private static final VarHandle TURN;

  static {
    try {
      TURN = MethodHandles.lookup().findVarHandle(Waiter.class, "turn", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  final Thread thread;

  /** How often the lock will be held: restores what {@code await} gave up. */
  final int holds;

  /** The line that the waiter is in: the lock's, a condition's, or none. */
  WaiterLine line;
  Waiter previous;
  Waiter following;

  /** How often it was called and came too late. */
  int missed;

  private int turn = WAITING;

  Waiter(Thread thread, int holds) {
    this.thread = thread;
    this.holds = holds;
  }

  /** (G) release, with the acquire in turn(): the heir sees what was done in the section. */
  void setTurn(int value) {
    TURN.setRelease(this, value);
  }

  /** (G) acquire, with the release in setTurn(). */
  int turn() {
    return (int) TURN.getAcquire(this);
  }
}
