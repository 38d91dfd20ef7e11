// integrations/java/model/org/hotseat/LimitScenarios.java — waits that end without the lock.
package org.hotseat;

import java.util.concurrent.TimeUnit;

/** Timeouts and interrupts against grants and calls. */
final class LimitScenarios {
  /** Over before the thread parks, soon after, and late. */
  private static final long[] TIMES = {1, 4_000, 30_000};

  private LimitScenarios() {}

  static void addTo(Scenarios all) {
    all.addBoth("two in time", LimitScenarios::timed);
    all.addBoth("one in time, another behind it", LimitScenarios::timedBefore);
    all.addBoth("one interrupted", LimitScenarios::interrupted);
    all.addBoth("one interrupted, another behind it", LimitScenarios::interruptedBefore);
    all.add("lock keeps an interrupt", false, LimitScenarios::keepsInterrupt);
    all.addBoth("in time and interrupted", LimitScenarios::both);
    all.addBoth("in time, before the owner is done", LimitScenarios::timedOut);
    all.addBoth("interrupted, before the owner is done", LimitScenarios::interruptedOut);
    all.addBoth("a line, its first in time", (world, fair) -> lineUp(world, fair, true));
    all.addBoth("a line, its last in time", (world, fair) -> lineUp(world, fair, false));
    all.add("long sections, the first in time", false, LimitScenarios::timedAndUrgent);
  }

  /** Returns true if it had the lock. */
  static boolean visitInTime(ExchangeLock lock, Section section) throws InterruptedException {
    long nanos = TIMES[Here.run.choose(TIMES.length)];
    long start = System.nanoTime();
    boolean owns = lock.tryLock(nanos, TimeUnit.NANOSECONDS);
    World.require(owns == lock.isHeldByCurrentThread(), "tryLock says it has what it has not");
    if (owns) {
      section.visit();
      lock.unlock();
    } else {
      World.require(System.nanoTime() - start >= nanos, "its time was not over");
      requireOut(lock);
    }
    World.requireC1();
    return owns;
  }

  /** Returns false if it was interrupted instead. */
  static boolean visitUnlessInterrupted(ExchangeLock lock, Section section) {
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException expected) {
      World.require(!Thread.currentThread().isInterrupted(), "the interrupt is still there");
      requireOut(lock);
      World.requireC1();
      return false;
    }
    section.visit();
    lock.unlock();
    return true;
  }

  private static void requireOut(ExchangeLock lock) {
    World.require(!lock.isHeldByCurrentThread(), "it left, but owns the lock");
    World.require(!lock.hasQueuedThread(Thread.currentThread()), "it left, but is in the line");
  }

  private static Runnable timed(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    world.thread("owner", () -> LockScenarios.visit(lock, section));
    for (int i = 0; i < 2; ++i) {
      world.thread("timed " + i, () -> visitInTime(lock, section));
    }
    return Scenarios.nothing();
  }

  private static Runnable timedBefore(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    world.thread("owner", () -> {
      LockScenarios.visit(lock, section);
      LockScenarios.visit(lock, section);
    });
    world.thread("timed", () -> visitInTime(lock, section));
    world.thread("behind", () -> LockScenarios.visit(lock, section));
    return Scenarios.nothing();
  }

  private static Runnable interrupted(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    boolean[] entered = new boolean[1];
    world.thread("owner", () -> LockScenarios.visit(lock, section));
    Thread waiter =
        world.thread("waiter", () -> entered[0] = visitUnlessInterrupted(lock, section));
    world.thread("rude", waiter::interrupt);
    return () -> requireOnce(waiter, !entered[0]);
  }

  /** An interrupt is seen exactly once: as an exception or as the flag. */
  private static void requireOnce(Thread thread, boolean threw) {
    World.require(threw != thread.isInterrupted(), "an interrupt is lost, or seen twice");
  }

  private static Runnable interruptedBefore(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    boolean[] entered = new boolean[1];
    world.thread("owner", () -> {
      LockScenarios.visit(lock, section);
      LockScenarios.visit(lock, section);
    });
    Thread waiter =
        world.thread("waiter", () -> entered[0] = visitUnlessInterrupted(lock, section));
    world.thread("behind", () -> LockScenarios.visit(lock, section));
    world.thread("rude", waiter::interrupt);
    return () -> requireOnce(waiter, !entered[0]);
  }

  private static Runnable keepsInterrupt(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    world.thread("owner", () -> LockScenarios.visit(lock, section));
    Thread waiter = world.thread("waiter", () -> LockScenarios.visit(lock, section));
    world.thread("rude", waiter::interrupt);
    return () -> World.require(waiter.isInterrupted(), "lock has swallowed an interrupt");
  }

  private static Runnable both(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    boolean[] threw = new boolean[1];
    world.thread("owner", () -> LockScenarios.visit(lock, section));
    Thread waiter = world.thread("waiter", () -> {
      try {
        visitInTime(lock, section);
      } catch (InterruptedException expected) {
        threw[0] = true;
        requireOut(lock);
      }
    });
    world.thread("timed", () -> visitInTime(lock, section));
    world.thread("rude", waiter::interrupt);
    return () -> requireOnce(waiter, threw[0]);
  }

  /** The owner stays until the other thread has given up. */
  private static Runnable timedOut(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    boolean[] done = new boolean[1];
    startOwner(world, lock, section, done);
    world.thread("timed", () -> {
      Thread.until(lock::isLocked);
      World.require(!visitInTime(lock, section), "it has a lock that is not free");
      done[0] = true;
    });
    return Scenarios.nothing();
  }

  private static void startOwner(
      World world, ExchangeLock lock, Section section, boolean[] done) {
    world.thread("owner", () -> {
      lock.lock();
      section.enter();
      Thread.until(() -> done[0]);
      section.exit();
      lock.unlock();
    });
  }

  private static Runnable interruptedOut(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    boolean[] done = new boolean[1];
    startOwner(world, lock, section, done);
    Thread waiter = world.thread("waiter", () -> {
      Thread.until(lock::isLocked);
      World.require(!visitUnlessInterrupted(lock, section), "it has a lock that is not free");
      done[0] = true;
    });
    world.thread("rude", waiter::interrupt);
    return Scenarios.nothing();
  }

  /** Two threads wait, one of them with a limit, when the owner unlocks and comes back. */
  private static Runnable lineUp(World world, boolean fair, boolean isFirst) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    boolean[] done = new boolean[1];
    world.thread("owner", () -> {
      lock.lock();
      section.enter();
      Thread.until(() -> done[0] || World.waiting(lock) == 2);
      section.exit();
      lock.unlock();
      LockScenarios.visit(lock, section);
    });
    World.Body timed = () -> {
      if (!isFirst) {
        Thread.until(() -> World.waiting(lock) > 0 || section.entries() > 1);
      }
      visitInTime(lock, section);
      done[0] = true;
    };
    world.thread("timed", timed);
    world.thread("other", () -> {
      if (isFirst) {
        Thread.until(() -> done[0] || World.waiting(lock) > 0);
      }
      LockScenarios.visit(lock, section);
    });
    return Scenarios.nothing();
  }

  private static Runnable timedAndUrgent(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    world.thread("owner", () -> {
      for (int k = 0; k < 4; ++k) {
        LockScenarios.linger(lock, section);
      }
    });
    world.thread("timed", () -> visitInTime(lock, section));
    world.thread("behind", () -> LockScenarios.visit(lock, section));
    world.thread("last", () -> visitInTime(lock, section));
    return Scenarios.nothing();
  }
}
