// integrations/java/tests/org/hotseat/ExchangeLockTest.java — what a Lock promises.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExchangeLockTest {
  private final ExchangeLock lock = new ExchangeLock();
  private long counter;

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void onlyOneIsInTheSection(Threads.Kind kind) throws Exception {
    int tasks = kind == Threads.Kind.PLATFORM || kind == Threads.Kind.MIXED ? 40 : 400;
    int iterations = 20_000 / tasks * 10;
    AtomicBoolean inside = new AtomicBoolean();
    try (Threads threads = new Threads(kind)) {
      for (int i = 0; i < tasks; ++i) {
        int index = i;
        threads.start(() -> {
          for (int k = 0; k < iterations; ++k) {
            lock.lock();
            try {
              assertFalse(inside.getAndSet(true), "two owners");
              ++counter;
              if ((index + k) % 64 == 0) {
                Thread.yield();  // Suspends inside the section: others must wait.
              }
              inside.set(false);
            } finally {
              lock.unlock();
            }
          }
        });
      }
    }
    assertEquals((long) tasks * iterations, counter);
    assertFalse(lock.isLocked());
    assertFalse(lock.hasQueuedThreads());
  }

  @Test
  void ownerMayLockAgain() {
    lock.lock();
    lock.lock();
    assertTrue(lock.tryLock());
    assertEquals(3, lock.getHoldCount());
    lock.unlock();
    lock.unlock();
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
    assertFalse(lock.isHeldByCurrentThread());
    assertEquals(0, lock.getHoldCount());
  }

  @Test
  void innerUnlockLetsNobodyIn() throws Exception {
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      AtomicBoolean entered = new AtomicBoolean();
      threads.start(() -> {
        lock.lock();
        lock.lock();
        threads.start(() -> {
          lock.lock();
          entered.set(true);
          lock.unlock();
        });
        Threads.until(lock::hasQueuedThreads);
        lock.unlock();
        Thread.yield();
        assertFalse(entered.get());
        lock.unlock();
      }).join();
    }
    assertFalse(lock.isLocked());
  }

  @Test
  void othersCannotUnlock() throws Exception {
    assertThrows(IllegalMonitorStateException.class, lock::unlock);
    lock.lock();
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      threads.start(() -> {
        assertThrows(IllegalMonitorStateException.class, lock::unlock);
        assertFalse(lock.isHeldByCurrentThread());
        assertFalse(lock.tryLock());
        assertFalse(lock.tryLock(1, TimeUnit.MILLISECONDS));
        assertFalse(lock.tryLock(-1, TimeUnit.MILLISECONDS));
      });
    }
    assertTrue(lock.isHeldByCurrentThread());
    assertTrue(lock.toString().contains("Locked by thread"));
    lock.unlock();
    assertTrue(lock.toString().contains("Unlocked"));
  }

  /** Waiters are served in order of arrival. */
  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void waitersEnterInOrder(Threads.Kind kind) throws Exception {
    int waiters = 100;
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    try (Threads threads = new Threads(kind)) {
      lock.lock();
      for (int i = 0; i < waiters; ++i) {
        int index = i;
        threads.start(() -> {
          lock.lock();
          order.add(index);
          lock.unlock();
        });
        Threads.until(() -> lock.getQueueLength() == index + 1);
      }
      lock.unlock();
    }
    assertEquals(IntStream.range(0, waiters).boxed().toList(), order);
  }

  /**
   * Threads that lock again and again pass a waiter over, but not for ever. Not on the JDK's
   * scheduler: with one carrier, yielding threads may keep others off it themselves.
   */
  @ParameterizedTest
  @EnumSource(value = Threads.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "JDK")
  void nobodyStarves(Threads.Kind kind) throws Exception {
    int greedy = 4;
    int visits = 200;
    AtomicBoolean over = new AtomicBoolean();
    try (Threads threads = new Threads(kind)) {
      for (int i = 0; i < greedy; ++i) {
        threads.start(() -> {
          while (!over.get()) {
            lock.lock();
            ++counter;
            lock.unlock();
            Thread.yield();
          }
        });
      }
      threads.start(() -> {
        for (int i = 0; i < visits; ++i) {
          lock.lock();
          lock.unlock();
        }
        over.set(true);
      });
    }
  }

  /** If all processors were busy, the heir would be called, and not exchanged. */
  static void untilItSleepsAlone(Thread heir) {
    CarrierPool pool = Carrier.current().pool();
    Threads.spinUntil(() ->
        heir.getState() == Thread.State.WAITING && pool.getActiveThreadCount() == 1);
  }

  /** The heir runs on the carrier of the unlocking thread, at once: that is the exchange. */
  @Test
  void waiterContinuesOnTheCarrierOfTheOwner() throws Exception {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1,
        "with one processor the heir is called: none is idle that could run the one that left");
    try (Threads threads = new Threads(Threads.Kind.OURS_MANY_CARRIERS)) {
      AtomicReference<Carrier> ownerRan = new AtomicReference<>();
      AtomicReference<Carrier> heirRan = new AtomicReference<>();
      Thread[] heir = new Thread[1];
      threads.start(() -> {
        lock.lock();
        heir[0] = threads.start(() -> {
          lock.lock();
          heirRan.set(Carrier.current());
          lock.unlock();
        });
        untilItSleepsAlone(heir[0]);
        ownerRan.set(Carrier.current());
        lock.unlock();
      }).join();
      threads.join();
      assertSame(ownerRan.get(), heirRan.get());
    }
  }

  /** Suspending the owner of another lock would make that section wait in a queue. */
  @Test
  void noExchangeInsideAnotherSection() throws Exception {
    ExchangeLock outer = new ExchangeLock();
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      threads.start(() -> {
        outer.lock();
        lock.lock();
        Thread waiter = threads.start(() -> {
          lock.lock();
          lock.unlock();
        });
        untilItSleepsAlone(waiter);
        Carrier before = Carrier.current();
        lock.unlock();
        assertSame(before, Carrier.current());
        outer.unlock();
      }).join();
    }
  }

  @Test
  void threadsStayThreads() throws Exception {
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      ThreadLocal<Integer> local = new ThreadLocal<>();
      for (int i = 0; i < 100; ++i) {
        int index = i;
        threads.start(() -> {
          Thread self = Thread.currentThread();
          self.setName("thread " + index);
          local.set(index);
          for (int k = 0; k < 100; ++k) {
            lock.lock();
            assertSame(self, Thread.currentThread());
            Thread.yield();
            lock.unlock();
            assertEquals(index, local.get());
            assertEquals("thread " + index, Thread.currentThread().getName());
            assertTrue(self.isVirtual());
          }
        });
      }
    }
  }

  @Test
  void stackOfAWaiterShowsTheLock() throws Exception {
    lock.lock();
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      Thread waiter = threads.start(() -> {
        lock.lock();
        lock.unlock();
      });
      Threads.until(() -> waiter.getState() == Thread.State.WAITING);
      assertTrue(Arrays.stream(waiter.getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(ExchangeLock.class.getName())
              && frame.getMethodName().equals("lock")));
      lock.unlock();
    }
  }
}
