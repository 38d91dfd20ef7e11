// integrations/java/src/org/hotseat/ExchangeLock.java — the lock that a user sees.
package org.hotseat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A reentrant lock whose contended sections stay on one carrier.
 *
 * <p>When a virtual thread of an {@link ExchangeScheduler} unlocks and another one waits, the
 * waiter continues on this carrier at once, and the thread that left is scheduled instead. So
 * the lock is never owned by a thread that stands in a queue. On all other threads, platform or
 * virtual, it is a lock that spins a little and parks; they can share it with the former.
 *
 * <p>A drop-in for {@code ReentrantLock}: threads are real threads throughout, and every method
 * keeps the promises of its interface. Like {@code ReentrantLock} it may be taken by a running
 * thread before those that wait; unlike it, the first in line is passed over a limited number
 * of times, and then the lock is handed to it.
 *
 * <p>{@code unlock} may let other threads run before it returns, as {@code Thread.yield} does.
 */
public final class ExchangeLock implements Lock {
  private final LockCore core = new LockCore();

  /** Creates a free lock. */
  public ExchangeLock() {}

  @Override
  public void lock() {
    Thread self = Thread.currentThread();
    if (!tryLock(self)) {
      try {
        core.take(self, 1, Wait.UNINTERRUPTIBLE);
      } catch (InterruptedException impossible) {
        throw new AssertionError(impossible);
      }
      entered();
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Thread self = Thread.currentThread();
    if (!tryLock(self)) {
      core.take(self, 1, Wait.INTERRUPTIBLE);
      entered();
    }
  }

  /** Takes the lock if it is free, also before others that wait for it. */
  @Override
  public boolean tryLock() {
    return tryLock(Thread.currentThread());
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    long nanos = unit.toNanos(time);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Thread self = Thread.currentThread();
    if (tryLock(self)) {
      return true;
    }
    if (nanos <= 0 || !core.take(self, 1, Wait.within(nanos))) {
      return false;
    }
    entered();
    return true;
  }

  /**
   * Lets go of the lock, or one hold of it.
   *
   * @throws IllegalMonitorStateException if the current thread does not own the lock
   */
  @Override
  public void unlock() {
    requireOwner();
    if (core.holds() > 1) {
      core.release();
      return;
    }
    boolean owesWake = left();
    core.release();
    if (owesWake) {
      Carrier.current().payWake();  // Perhaps of another one: ours has paid when it exchanged.
    }
  }

  @Override
  public Condition newCondition() {
    return new ExchangeCondition(this, core);
  }

  /** Whether the current thread owns the lock. */
  public boolean isHeldByCurrentThread() {
    return core.isOwner(Thread.currentThread());
  }

  /** How many {@code unlock}s the current thread owes. */
  public int getHoldCount() {
    return isHeldByCurrentThread() ? core.holds() : 0;
  }

  /** Whether somebody owns the lock; for monitoring, it may have changed meanwhile. */
  public boolean isLocked() {
    return core.isLocked();
  }

  /** Whether somebody waits for the lock; for monitoring. */
  public boolean hasQueuedThreads() {
    return core.hasLine();
  }

  /** How many threads wait for the lock; for monitoring. */
  public int getQueueLength() {
    return core.lineLength();
  }

  @Override
  public String toString() {
    Thread owner = core.owner();
    return super.toString()
        + (owner == null ? "[Unlocked]" : "[Locked by thread " + owner.getName() + "]");
  }

  void requireOwner() {
    if (!isHeldByCurrentThread()) {
      throw new IllegalMonitorStateException("the current thread does not own " + this);
    }
  }

  private boolean tryLock(Thread self) {
    if (core.tryTake(self)) {
      entered();
      return true;
    }
    if (core.isOwner(self)) {
      core.takeAgain();
      return true;
    }
    return false;
  }

  static void entered() {
    Carrier carrier = Carrier.current();
    if (carrier != null) {
      carrier.enterSection();
    }
  }

  /** True if the carrier owes somebody a wake-up, which can be paid after the section. */
  static boolean left() {
    Carrier carrier = Carrier.current();
    if (carrier == null) {
      return false;
    }
    carrier.leaveSection();
    return carrier.owesWake();
  }
}
