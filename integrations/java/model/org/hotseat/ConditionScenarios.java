// integrations/java/model/org/hotseat/ConditionScenarios.java — threads that wait for a signal.
package org.hotseat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;

/** Signals against timeouts and interrupts: none is lost to a wait that had ended before. */
final class ConditionScenarios {
  private static final long[] TIMES = {1, 4_000, 30_000};

  private ConditionScenarios() {}

  static void addTo(Scenarios all) {
    all.addBoth("signal, one waits in time", (world, fair) -> new Story(world, fair).timed());
    all.add("no signal, one waits in time", false,
        (world, fair) -> new Story(world, fair).timedInVain());
    all.addBoth("signal, one is interrupted",
        (world, fair) -> new Story(world, fair).interrupted());
    all.addBoth("signal, one waits in time and is interrupted",
        (world, fair) -> new Story(world, fair).timedAndInterrupted());
    all.add("signal, one owns another lock", false,
        (world, fair) -> new Story(world, fair).owningAnother());
    all.add("signal, one keeps an interrupt", false,
        (world, fair) -> new Story(world, fair).uninterruptible());
    all.addBoth("signal to all", (world, fair) -> new Story(world, fair).signalAll());
    all.add("signals in order", false, (world, fair) -> new Story(world, fair).inOrder());
    all.add("a pinned thread waits", World.Kind.TWO_CARRIERS, false,
        (world, fair) -> new Story(world, fair).pinned());
    all.add("signal to all, early nudge", World.Kind.TWO_CARRIERS, false,
        (world, fair) -> new Story(world, fair).earlyNudge());
    all.add("a buffer of one", false, (world, fair) -> new Story(world, fair).buffer());
  }

  /** A value that threads wait for. */
  private static final class Story {
    private final World world;
    private final ExchangeLock lock;
    private final Section section;
    private final Condition changed;
    private int value;
    private int order;

    Story(World world, boolean fair) {
      this.world = world;
      lock = world.lock(fair);
      section = new Section(lock);
      changed = lock.newCondition();
    }

    /** Waits, in a section; the holds are the same before and after. */
    private boolean await(long nanos) throws InterruptedException {
      int holds = lock.getHoldCount();
      section.exit();
      try {
        if (nanos != 0) {
          long start = System.nanoTime();
          boolean signalled = changed.await(nanos, TimeUnit.NANOSECONDS);
          World.require(signalled || System.nanoTime() - start >= nanos, "its time was not over");
          return signalled;
        }
        changed.await();
        return true;
      } finally {
        World.require(lock.getHoldCount() == holds, "await gives back another number of holds");
        section.enter();
      }
    }

    private void enter() {
      lock.lock();
      section.enter();
    }

    private void leave() {
      section.exit();
      lock.unlock();
      World.requireC1();
    }

    private void waitsForValue(String name) {
      world.thread(name, () -> {
        enter();
        while (value == 0) {
          await(0);
        }
        leave();
      });
    }

    private void setsValue() {
      world.thread("signals", () -> {
        enter();
        value = 1;
        changed.signal();
        leave();
      });
    }

    /**
     * Passes on a signal that it does not need; if its outcome were wrong, a thread would hang.
     */
    Runnable timed() {
      world.thread("timed", () -> {
        enter();
        if (value == 0 && await(TIMES[Here.run.choose(TIMES.length)])) {
          changed.signal();
        }
        leave();
      });
      waitsForValue("waits");
      setsValue();
      return Scenarios.nothing();
    }

    /** Waits with two holds. */
    Runnable timedInVain() {
      for (int i = 0; i < 2; ++i) {
        world.thread("timed " + i, () -> {
          enter();
          lock.lock();
          World.require(!await(TIMES[Here.run.choose(TIMES.length)]), "a signal out of nothing");
          lock.unlock();
          leave();
        });
      }
      world.thread("visits", () -> LockScenarios.visit(lock, section));
      return Scenarios.nothing();
    }

    Runnable interrupted() {
      boolean[] threw = new boolean[1];
      Thread waiter = world.thread("waiter", () -> {
        enter();
        try {
          if (value == 0) {
            await(0);
            changed.signal();
          }
        } catch (InterruptedException expected) {
          threw[0] = true;
        }
        leave();
      });
      waitsForValue("waits");
      setsValue();
      world.thread("rude", waiter::interrupt);
      return () -> World.require(threw[0] != waiter.isInterrupted(),
          "an interrupt is lost, or seen twice");
    }

    Runnable timedAndInterrupted() {
      boolean[] threw = new boolean[1];
      Thread waiter = world.thread("waiter", () -> {
        enter();
        try {
          if (value == 0 && await(TIMES[Here.run.choose(TIMES.length)])) {
            changed.signal();
          }
        } catch (InterruptedException expected) {
          threw[0] = true;
        }
        leave();
      });
      waitsForValue("waits");
      setsValue();
      world.thread("rude", waiter::interrupt);
      return () -> World.require(threw[0] != waiter.isInterrupted(),
          "an interrupt is lost, or seen twice");
    }

    /** It keeps owning the other lock while it waits. */
    Runnable owningAnother() {
      ExchangeLock other = world.lock(lock.isFair());
      Section others = new Section(other);
      world.thread("owns both", () -> {
        other.lock();
        others.enter();
        enter();
        while (value == 0) {
          await(0);
        }
        leave();
        others.exit();
        other.unlock();
      });
      setsValue();
      world.thread("visits", () -> LockScenarios.visit(other, others));
      return Scenarios.nothing();
    }

    Runnable uninterruptible() {
      Thread waiter = world.thread("waiter", () -> {
        enter();
        lock.lock();
        while (value == 0) {
          section.exit();
          changed.awaitUninterruptibly();
          World.require(lock.getHoldCount() == 2, "await gives back another number of holds");
          section.enter();
        }
        lock.unlock();
        leave();
      });
      setsValue();
      world.thread("rude", waiter::interrupt);
      return () -> World.require(waiter.isInterrupted(), "await has swallowed an interrupt");
    }

    Runnable signalAll() {
      waitsForValue("waits 0");
      waitsForValue("waits 1");
      world.thread("signals", () -> {
        enter();
        value = 1;
        changed.signalAll();
        leave();
      });
      return Scenarios.nothing();
    }

    /** Signalled threads return in the order in which they started to wait. */
    Runnable inOrder() {
      Condition ready = lock.newCondition();
      for (int i = 0; i < 2; ++i) {
        world.thread("waits " + i, () -> {
          enter();
          int place = ++order;
          ready.signal();
          await(0);
          World.require(++value == place, "signals in another order");
          leave();
        });
      }
      world.thread("signals", () -> {
        enter();
        while (order < 2) {
          section.exit();
          ready.await();
          section.enter();
        }
        for (int i = 2; i > 0; --i) {
          World.require(lock.getWaitQueueLength(changed) == i, "a thread does not wait");
          changed.signal();
        }
        leave();
      });
      return Scenarios.nothing();
    }

    /** A thread that cannot be unmounted keeps its carrier, but nothing that is in its slot. */
    Runnable pinned() {
      world.thread("pinned", () -> {
        enter();
        Thread.pin(true);
        while (value == 0) {
          await(TIMES[Here.run.choose(TIMES.length)] * Here.run.choose(2));
        }
        Thread.pin(false);
        leave();
      });
      setsValue();
      world.thread("visits", () -> LockScenarios.visit(lock, section));
      return Scenarios.nothing();
    }

    Runnable earlyNudge() {
      world.setNudgeEarly();
      return signalAll();
    }

    Runnable buffer() {
      int items = 2;
      int[] sum = new int[1];
      Condition notFull = lock.newCondition();
      world.thread("gives", () -> {
        for (int i = 1; i <= items; ++i) {
          enter();
          while (value != 0) {
            section.exit();
            notFull.await();
            section.enter();
          }
          value = i;
          changed.signal();
          leave();
        }
      });
      world.thread("takes", () -> {
        for (int i = 1; i <= items; ++i) {
          enter();
          while (value == 0) {
            await(0);
          }
          sum[0] += value;
          value = 0;
          notFull.signal();
          leave();
        }
      });
      world.thread("visits", () -> LockScenarios.visit(lock, section));
      return () -> World.require(sum[0] == items * (items + 1) / 2, "an item is lost");
    }
  }
}
