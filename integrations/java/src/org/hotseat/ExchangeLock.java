// integrations/java/src/org/hotseat/ExchangeLock.java — the lock that a user sees.
package org.hotseat;

import java.io.Serializable;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A reentrant lock whose contended sections stay on one carrier.
 *
 * <p>When a virtual thread of an {@link ExchangeScheduler} unlocks and another one waits, the
 * waiter continues on this carrier at once, and the thread that unlocked is scheduled instead. So
 * the owner of the lock is never queued. For all other threads, platform or virtual, it is a lock
 * that spins a little and parks; both kinds can share it.
 *
 * <p>A drop-in for {@code ReentrantLock}: threads are real threads throughout, and the lock has
 * every constructor and method of {@code ReentrantLock}, with the same exceptions.
 *
 * <p>Like a {@code ReentrantLock} that is not fair, it may be taken by a running thread before
 * waiting ones. Unlike there, the first in line is passed over a limited number of times, and then
 * the lock is handed to it. A <i>fair</i> lock is never free while threads wait: each {@code
 * unlock} hands it to the thread that has waited longest. That costs a switch of threads for each
 * contended section, which hurts short sections. As with {@code ReentrantLock}, {@code tryLock()}
 * without a time does not look at the line: it takes any lock that is free.
 *
 * <p>{@code unlock} may let other threads run before it returns, as {@code Thread.yield} does.
 *
 * <p>Like a {@code ReentrantLock}, a lock that is read back from a stream is free, and no thread
 * waits for it or its conditions.
 */
public class ExchangeLock implements Lock, Serializable {
  private static final long serialVersionUID = 1;

  private final LockCore core;

  /** Creates a free lock that is not fair. */
  public ExchangeLock() {
    this(false);
  }

  /**
   * Creates a free lock.
   *
   * @param fair whether threads always get the lock in order of arrival
   */
  public ExchangeLock(boolean fair) {
    core = new LockCore(fair);
  }

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

  /** Takes the lock if it is free, even ahead of waiting threads. */
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
   * Releases the lock, or one hold of it.
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
      Carrier.current().payWake();  // May be another carrier's debt: ours has paid when it exchanged.
    }
  }

  @Override
  public Condition newCondition() {
    return new ExchangeCondition(this, core);
  }

  /** Whether the lock was created fair. */
  public final boolean isFair() {
    return core.isFair();
  }

  /** Whether the current thread owns the lock. */
  public boolean isHeldByCurrentThread() {
    return core.isOwner(Thread.currentThread());
  }

  /** How many {@code unlock}s the current thread still has to make. */
  public int getHoldCount() {
    return core.isOwner(Thread.currentThread()) ? core.holds() : 0;
  }

  // ---- for monitoring: all of it may be out of date when the caller looks at it

  /** Whether a thread owns the lock. */
  public boolean isLocked() {
    return core.isLocked();
  }

  /** The owner, or null if there is none. */
  protected Thread getOwner() {
    return core.owner();
  }

  /** Whether threads wait for the lock. */
  public final boolean hasQueuedThreads() {
    return core.hasLine();
  }

  /** Whether {@code thread} waits for the lock. */
  public final boolean hasQueuedThread(Thread thread) {
    Objects.requireNonNull(thread);
    return core.underGuard(() -> core.line().contains(thread));
  }

  /** How many threads wait for the lock. */
  public final int getQueueLength() {
    return core.underGuard(core.line()::length);
  }

  /** The threads that wait for the lock. */
  protected Collection<Thread> getQueuedThreads() {
    return core.underGuard(core.line()::threads);
  }

  /**
   * Whether threads wait for {@code condition}.
   *
   * @throws IllegalArgumentException if it is a condition of another lock
   * @throws IllegalMonitorStateException if the current thread does not own the lock
   */
  public boolean hasWaiters(Condition condition) {
    WaiterLine line = lineOf(condition);
    return !core.underGuard(line::isEmpty);
  }

  /** How many threads wait for {@code condition}; throws as {@link #hasWaiters} does. */
  public int getWaitQueueLength(Condition condition) {
    return core.underGuard(lineOf(condition)::length);
  }

  /** The threads that wait for {@code condition}; throws as {@link #hasWaiters} does. */
  protected Collection<Thread> getWaitingThreads(Condition condition) {
    return core.underGuard(lineOf(condition)::threads);
  }

  @Override
  public String toString() {
    Thread owner = core.owner();
    return super.toString()
        + (owner == null ? "[Unlocked]" : "[Locked by thread " + owner.getName() + "]");
  }

  final void requireOwner() {
    if (!core.isOwner(Thread.currentThread())) {
      throw new IllegalMonitorStateException("the current thread does not own " + this);
    }
  }

  private WaiterLine lineOf(Condition condition) {
    Objects.requireNonNull(condition);
    if (!(condition instanceof ExchangeCondition ours) || !ours.isOf(core)) {
      throw new IllegalArgumentException("a condition of another lock");
    }
    requireOwner();
    return ours.line();
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

  /** Returns true if the carrier owes a wake-up, which can be paid after the section. */
  static boolean left() {
    Carrier carrier = Carrier.current();
    if (carrier == null) {
      return false;
    }
    carrier.leaveSection();
    return carrier.owesWake();
  }
}
