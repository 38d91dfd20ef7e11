// integrations/java/tests/org/hotseat/ExchangeSchedulerTest.java — threads, and their end.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExchangeSchedulerTest {
  private long counter;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void hundredThousandThreadsShareALock(int carriers) {
    int threads = 100_000;
    ExchangeLock lock = new ExchangeLock();
    lock.lock();  // So that all of them wait, or all that have started.
    try (ExchangeScheduler scheduler = ExchangeScheduler.start(carriers)) {
      for (int i = 0; i < threads; ++i) {
        scheduler.startThread(() -> {
          lock.lock();
          ++counter;
          lock.unlock();
        });
      }
      Threads.until(() -> lock.getQueueLength() > threads / 2);
      lock.unlock();
    }
    assertEquals(threads, counter);
    assertFalse(lock.hasQueuedThreads());
  }

  /** One that sleeps, one that is parked, one that has just started another one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void closeWaitsForAll(int carriers) {
    AtomicInteger ended = new AtomicInteger();
    ExchangeScheduler scheduler = ExchangeScheduler.start(carriers);
    for (int i = 0; i < 1000; ++i) {
      int nanos = i * 10_000;
      scheduler.startThread(() -> {
        LockSupport.parkNanos(nanos);
        scheduler.startThread(() -> {
          LockSupport.parkNanos(nanos);
          ended.incrementAndGet();
        });
      });
    }
    scheduler.close();
    assertEquals(1000, ended.get());
  }

  @Test
  void closeCanBeRepeated() {
    for (int i = 0; i < 50; ++i) {
      ExchangeScheduler scheduler = ExchangeScheduler.start(4);
      scheduler.startThread(() -> ++counter);
      scheduler.close();
      scheduler.close();
    }
    assertEquals(50, counter);
  }

  @Test
  void threadCannotCloseItsScheduler() throws Exception {
    try (ExchangeScheduler scheduler = ExchangeScheduler.start(1)) {
      CountDownLatch refused = new CountDownLatch(1);
      scheduler.startThread(() -> {
        assertThrows(IllegalStateException.class, scheduler::close);
        refused.countDown();
      });
      Threads.await(refused);
    }
  }

  @Test
  void worksAsTheFactoryOfAnExecutor() throws Exception {
    try (ExchangeScheduler scheduler = ExchangeScheduler.start();
        ExecutorService executor = Executors.newThreadPerTaskExecutor(scheduler)) {
      assertTrue(executor.submit(() -> Thread.currentThread().isVirtual()).get());
      assertTrue(executor.submit(() -> Carrier.current() != null).get());
      assertEquals(7, executor.submit(() -> {
        Thread.sleep(1);
        return 7;
      }).get());
    }
    assertTrue(ExchangeScheduler.startOrFallBack(1).canExchange());
  }

  /** Other locks, monitors and sleeps work on our carriers as on the JDK's. */
  @Test
  void otherWaysToWaitWork() throws Exception {
    ReentrantLock other = new ReentrantLock();
    Object monitor = new Object();
    try (Threads threads = new Threads(Threads.Kind.OURS_MANY_CARRIERS)) {
      for (int i = 0; i < 200; ++i) {
        threads.start(() -> {
          for (int k = 0; k < 50; ++k) {
            other.lock();
            try {
              Thread.sleep(0, 1000);
              ++counter;
            } finally {
              other.unlock();
            }
            synchronized (monitor) {
              Thread.yield();
            }
          }
        });
      }
    }
    assertEquals(10_000, counter);
  }

  /** Carriers that never come back do not keep other threads' work for themselves. */
  @Test
  void busyCarriersDoNotStopTheRest() throws Exception {
    int busy = Runtime.getRuntime().availableProcessors();
    try (ExchangeScheduler scheduler = ExchangeScheduler.start(2 * busy + 2)) {
      CountDownLatch others = new CountDownLatch(100);
      for (int i = 0; i < busy; ++i) {
        scheduler.startThread(() -> {
          for (int k = 0; k < 100 / busy + 1; ++k) {
            scheduler.startThread(others::countDown);
          }
          while (others.getCount() > 0) {
            Thread.onSpinWait();
          }
        });
      }
      Threads.await(others);
    }
  }

  /** Work behind a thread that never suspends is found, even if all other carriers keep going. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 6})
  void carriersThatGoOnDoNotStopTheRest(int carriers) throws Exception {
    try (ExchangeScheduler scheduler = ExchangeScheduler.start(carriers)) {
      CountDownLatch other = new CountDownLatch(1);
      for (int i = 0; i < 2 * carriers; ++i) {
        scheduler.startThread(() -> {
          while (other.getCount() > 0) {
            Thread.yield();
          }
        });
      }
      scheduler.startThread(() -> {
        scheduler.startThread(other::countDown);
        while (other.getCount() > 0) {
          Thread.onSpinWait();
        }
      });
      Threads.await(other);
    }
  }
}
