// integrations/java/model/org/hotseat/LockScenarios.java — threads that lock and unlock.
package org.hotseat;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits that end with the lock. */
final class LockScenarios {
  private LockScenarios() {}

  static void addTo(Scenarios all) {
    all.addBoth("three threads, two sections each", (world, fair) -> sections(world, fair, 3, 2));
    all.add("early nudge", World.Kind.TWO_CARRIERS, true, (world, fair) -> {
      world.setNudgeEarly();
      return sections(world, fair, 3, 2);
    });
    all.add("two threads, three sections each", false,
        (world, fair) -> sections(world, fair, 2, 3));
    all.add("greedy threads", false, LockScenarios::greedy);
    all.add("long sections", false, LockScenarios::longSections);
    all.add("long sections, and a spinner", false, LockScenarios::spinnerAndUrgent);
    all.addBoth("one tries without waiting", LockScenarios::tries);
    all.addBoth("a lock in another one", LockScenarios::nested);
    all.add("locked twice", false, LockScenarios::reentrant);
    all.add("stray unparks", false, LockScenarios::strayUnparks);
    all.addBoth("questions about the line", LockScenarios::questions);
    all.add("pinned", World.Kind.ONE_CARRIER, false, LockScenarios::pinned);
    all.add("pinned", World.Kind.TWO_CARRIERS, false, LockScenarios::pinned);
    all.add("pinned", World.Kind.TWO_CARRIERS, true, LockScenarios::pinned);
  }

  static void visit(ExchangeLock lock, Section section) {
    lock.lock();
    section.visit();
    lock.unlock();
    World.require(!lock.isHeldByCurrentThread(), "it owns the lock after unlock");
    World.requireC1();
  }

  private static Runnable sections(World world, boolean fair, int threads, int visits) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    for (int i = 0; i < threads; ++i) {
      world.thread("thread " + i, () -> {
        for (int k = 0; k < visits; ++k) {
          visit(lock, section);
        }
      });
    }
    return () -> World.require(section.entries() == threads * visits, "a section is missing");
  }

  /** Some stay away for no time at all: they pass over the line, and call its first in vain. */
  private static Runnable greedy(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    for (int i = 0; i < 2; ++i) {
      world.thread("greedy " + i, () -> {
        for (int k = 0; k < 4; ++k) {
          visit(lock, section);
        }
      });
    }
    for (int i = 0; i < 2; ++i) {
      world.thread("modest " + i, () -> visit(lock, section));
    }
    return Scenarios.nothing();
  }

  /** Takes longer than a called thread looks: it comes in vain until it is urgent. */
  static void linger(ExchangeLock lock, Section section) {
    lock.lock();
    section.enter();
    for (int i = 0; i < 5; ++i) {
      Thread.onSpinWait();
    }
    section.exit();
    lock.unlock();
  }

  private static Runnable longSections(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    world.thread("owner", () -> {
      for (int k = 0; k < 4; ++k) {
        linger(lock, section);
      }
    });
    world.thread("modest", () -> visit(lock, section));
    world.thread("other", () -> {
      for (int k = 0; k < 2; ++k) {
        linger(lock, section);
      }
    });
    return Scenarios.nothing();
  }

  /**
   * But not for ever: the first may have been handed the lock, or a spinner may be ahead of it.
   */
  private static void lingerUntil(BooleanSupplier happened) {
    for (int i = 0; i < 12 && !Here.run.holds(happened); ++i) {
      Thread.onSpinWait();
    }
  }

  /** A thread starts to spin just before the first in line, called in vain, becomes urgent. */
  private static Runnable spinnerAndUrgent(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    boolean[] done = new boolean[1];
    world.thread("owner", () -> {
      for (int k = 0; k <= LockWatch.MISS_LIMIT; ++k) {
        int misses = k;
        lock.lock();
        section.enter();
        lingerUntil(() -> misses == 0 ? World.waiting(lock) > 0
            : misses < LockWatch.MISS_LIMIT ? World.missesOfFirst(lock) >= misses
            : World.isUrgent(lock));
        section.exit();
        lock.unlock();
      }
    });
    world.thread("modest", () -> {
      visit(lock, section);
      done[0] = true;
    });
    world.thread("spinner", () -> {
      Thread.until(() -> done[0] || World.missesOfFirst(lock) == LockWatch.MISS_LIMIT);
      visit(lock, section);
    });
    return Scenarios.nothing();
  }

  private static Runnable tries(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    for (int i = 0; i < 2; ++i) {
      world.thread("waits " + i, () -> visit(lock, section));
    }
    world.thread("tries", () -> {
      for (int k = 0; k < 3; ++k) {
        if (lock.tryLock()) {
          section.visit();
          lock.unlock();
        } else {
          World.require(!lock.isHeldByCurrentThread(), "it owns what it did not get");
        }
      }
    });
    return Scenarios.nothing();
  }

  private static Runnable nested(World world, boolean fair) {
    ExchangeLock outer = world.lock(fair);
    ExchangeLock inner = world.lock(fair);
    Section outside = new Section(outer);
    Section inside = new Section(inner);
    for (int i = 0; i < 2; ++i) {
      world.thread("both " + i, () -> {
        outer.lock();
        outside.enter();
        Thread.setOwnsAnother(true);
        visit(inner, inside);
        Thread.setOwnsAnother(false);
        outside.exit();
        outer.unlock();
      });
    }
    for (int i = 0; i < 2; ++i) {
      world.thread("inner " + i, () -> visit(inner, inside));
    }
    return Scenarios.nothing();
  }

  private static Runnable reentrant(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    for (int i = 0; i < 3; ++i) {
      world.thread("thread " + i, () -> {
        lock.lock();
        section.enter();
        lock.lock();
        World.require(lock.tryLock(1, TimeUnit.NANOSECONDS), "the owner may lock again");
        World.require(lock.getHoldCount() == 3, "three holds");
        lock.unlock();
        lock.unlock();
        section.exit();
        lock.unlock();
        World.require(lock.getHoldCount() == 0, "no hold is left");
      });
    }
    return Scenarios.nothing();
  }

  /** An unpark unrelated to the lock does not make a thread the owner. */
  private static Runnable strayUnparks(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    Thread[] threads = new Thread[3];
    for (int i = 0; i < 3; ++i) {
      threads[i] = world.thread("thread " + i, () -> visit(lock, section));
    }
    world.thread("stray", () -> {
      for (int k = 0; k < 3; ++k) {
        LockSupport.unpark(threads[Here.run.choose(3)]);
      }
    });
    return Scenarios.nothing();
  }

  private static Runnable questions(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    Thread[] threads = new Thread[2];
    for (int i = 0; i < 2; ++i) {
      threads[i] = world.thread("thread " + i, () -> visit(lock, section));
    }
    world.thread("asks", () -> {
      World.require(lock.getQueueLength() <= 2, "more wait than there are");
      World.require(lock.getQueuedThreads().size() <= 2, "more wait than there are");
      World.require(!lock.hasQueuedThread(Thread.currentThread()), "it does not wait");
      lock.lock();
      section.enter();
      World.require(lock.getOwner() == Thread.currentThread(), "it is the owner");
      if (lock.hasQueuedThread(threads[0])) {
        World.require(lock.hasQueuedThreads(), "a thread waits, but none does");
      }
      section.exit();
      lock.unlock();
    });
    return Scenarios.nothing();
  }

  /** A thread that cannot be unmounted hands over and waits like others. */
  private static Runnable pinned(World world, boolean fair) {
    ExchangeLock lock = world.lock(fair);
    Section section = new Section(lock);
    for (int i = 0; i < 2; ++i) {
      world.thread("thread " + i, () -> visit(lock, section));
    }
    world.thread("pinned", () -> {
      lock.lock();
      section.enter();
      Thread.pin(true);
      section.exit();
      lock.unlock();
      World.requireC1();
      Thread.pin(false);
    });
    return Scenarios.nothing();
  }
}
