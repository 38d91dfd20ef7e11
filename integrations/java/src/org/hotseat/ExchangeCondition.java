// integrations/java/src/org/hotseat/ExchangeCondition.java — a condition of an ExchangeLock.
package org.hotseat;

import java.io.Serializable;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/**
 * A line beside that of the lock, under the same guard. A signal moves a waiter from here to there;
 * it does not wake it, since the lock is taken. A thread that starts to wait passes the lock on and
 * parks, so an heir in the slot costs nothing here.
 *
 * <p>A wait ends early only if its waiter is still in this line, which one look under the guard
 * decides. After a signal, an interrupt or a timeout comes too late.
 */
final class ExchangeCondition implements Condition, Serializable {
  private static final long serialVersionUID = 1;

  private final ExchangeLock lock;
  private final LockCore core;
  private final WaiterLine line = new WaiterLine();

  ExchangeCondition(ExchangeLock lock, LockCore core) {
    this.lock = lock;
    this.core = core;
  }

  boolean isOf(LockCore other) {
    return core == other;
  }

  /** For monitoring; read it under the guard. */
  WaiterLine line() {
    return line;
  }

  @Override
  public void await() throws InterruptedException {
    await(Wait.INTERRUPTIBLE);
  }

  @Override
  public void awaitUninterruptibly() {
    try {
      await(Wait.UNINTERRUPTIBLE);
    } catch (InterruptedException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Override
  public long awaitNanos(long nanos) throws InterruptedException {
    Wait wait = Wait.within(nanos);
    await(wait);
    long left = wait.left();
    return left <= nanos ? left : Long.MIN_VALUE;  // Never more than was asked for.
  }

  @Override
  public boolean await(long time, TimeUnit unit) throws InterruptedException {
    return await(Wait.within(unit.toNanos(time)));
  }

  @Override
  public boolean awaitUntil(Date deadline) throws InterruptedException {
    long now = System.currentTimeMillis();
    long due = deadline.getTime();
    return await(due > now ? due - now : 0, TimeUnit.MILLISECONDS);
  }

  @Override
  public void signal() {
    lock.requireOwner();
    core.lockGuard();
    if (!line.isEmpty()) {
      core.moveHere(line.first());
    }
    core.unlockGuard();
  }

  @Override
  public void signalAll() {
    lock.requireOwner();
    core.lockGuard();
    while (!line.isEmpty()) {
      core.moveHere(line.first());
    }
    core.unlockGuard();
  }

  /** Returns false if the time was over before a signal. */
  private boolean await(Wait wait) throws InterruptedException {
    if (wait.isInterruptible() && Thread.interrupted()) {
      throw new InterruptedException();  // First, as with ReentrantLock.
    }
    lock.requireOwner();
    Thread self = Thread.currentThread();
    Waiter waiter = new Waiter(self, core.holds());
    core.lockGuard();
    line.add(waiter);
    core.unlockGuard();
    ExchangeLock.left();
    core.releaseAll();

    boolean interrupted = waitForSignal(waiter, wait);
    boolean signalled = !leave(waiter);
    if (signalled) {
      core.stay(waiter, Wait.UNINTERRUPTIBLE);
    } else {
      core.take(self, waiter.holds, Wait.UNINTERRUPTIBLE);
    }
    ExchangeLock.entered();
    if (interrupted) {
      if (!signalled) {
        throw new InterruptedException();
      }
      self.interrupt();
    }
    return signalled;
  }

  /** Waits until the waiter has left this line, or the wait is over. True after an interrupt. */
  private boolean waitForSignal(Waiter waiter, Wait wait) {
    boolean interrupted = false;
    while (waiter.turn() == Waiter.WAITING && !wait.isOver()) {
      HandOver.park(this, wait.remaining());
      interrupted |= Thread.interrupted();
      if (interrupted && wait.isInterruptible()) {
        break;
      }
    }
    HandOver.settle();
    return interrupted;
  }

  /** Leaves this line; false if a signal came first. */
  private boolean leave(Waiter waiter) {
    core.lockGuard();
    boolean isHere = waiter.line == line;
    if (isHere) {
      line.remove(waiter);
    }
    core.unlockGuard();
    return isHere;
  }
}
