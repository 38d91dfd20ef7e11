// integrations/java/tests/org/hotseat/LimitsTest.java — waits that end without the lock.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
  private final ExchangeLock lock = new ExchangeLock();
  private long counter;

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void waitEndsWithItsTime(Threads.Kind kind) throws Exception {
    lock.lock();
    try (Threads threads = new Threads(kind)) {
      threads.start(() -> {
        long start = System.nanoTime();
        assertFalse(lock.tryLock(20, TimeUnit.MILLISECONDS));
        assertTrue(System.nanoTime() - start >= 20_000_000);
      });
    }
    assertFalse(lock.hasQueuedThreads());
    lock.unlock();
    assertTrue(lock.tryLock(1, TimeUnit.SECONDS));
    lock.unlock();
  }

  /** How a lock and its condition respond to times at and beyond the limits of the range. */
  private static List<Object> answersTo(Lock lock, long time) throws Exception {
    List<Object> answers = new ArrayList<>();
    Condition condition = lock.newCondition();
    lock.lock();
    Thread other = Thread.ofVirtual().start(() -> {
      try {
        answers.add(lock.tryLock(time, TimeUnit.NANOSECONDS));
        answers.add(lock.tryLock(time, TimeUnit.DAYS));
      } catch (InterruptedException impossible) {
        answers.add(impossible);
      }
    });
    other.join();
    long left = condition.awaitNanos(time);
    answers.add(left <= time ? "not more than asked for" : left);
    answers.add(condition.await(time, TimeUnit.NANOSECONDS));
    answers.add(condition.await(time, TimeUnit.DAYS));
    answers.add(condition.awaitUntil(new Date(time)));
    lock.unlock();
    return answers;
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MIN_VALUE / 2, -1, 0})
  void noTimeIsOverAtOnce(long time) throws Exception {
    assertEquals(answersTo(new ReentrantLock(), time), answersTo(lock, time));
  }

  @Test
  void theLongestTimeIsForEver() throws Exception {
    Condition condition = lock.newCondition();
    lock.lock();
    for (TimeUnit unit : List.of(TimeUnit.DAYS, TimeUnit.NANOSECONDS)) {
      Thread waiter = Thread.ofVirtual().start(() -> {
        try {
          assertTrue(lock.tryLock(Long.MAX_VALUE, unit));
          condition.signalAll();
          lock.unlock();
        } catch (InterruptedException impossible) {
          throw new AssertionError(impossible);
        }
      });
      Threads.until(() -> lock.getQueueLength() == 1);
      if (unit == TimeUnit.DAYS) {
        assertTrue(condition.await(Long.MAX_VALUE, unit));
      } else {
        assertTrue(condition.awaitUntil(new Date(Long.MAX_VALUE)));
      }
      waiter.join();
    }
    lock.unlock();
  }

  /** The same exceptions in the same order. */
  @Test
  void badCallsAreRefusedAsByReentrantLock() {
    for (Lock each : List.of(new ReentrantLock(), lock)) {
      assertThrows(NullPointerException.class, () -> each.tryLock(1, null));
      Condition condition = each.newCondition();
      assertThrows(IllegalMonitorStateException.class, condition::await);
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, condition::await);
      assertThrows(NullPointerException.class, () -> condition.await(1, null));
      assertThrows(NullPointerException.class, () -> condition.awaitUntil(null));
      assertThrows(IllegalMonitorStateException.class, () -> condition.awaitNanos(1));
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, () -> condition.awaitNanos(1));
      Thread.currentThread().interrupt();
      assertThrows(IllegalMonitorStateException.class, condition::awaitUninterruptibly);
      assertTrue(Thread.interrupted());
    }
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void interruptEndsAWaitThatAllowsIt(Threads.Kind kind) throws Exception {
    lock.lock();
    try (Threads threads = new Threads(kind)) {
      Thread waiter = threads.start(() -> {
        assertThrows(InterruptedException.class, lock::lockInterruptibly);
        assertFalse(Thread.currentThread().isInterrupted());
        assertFalse(lock.isHeldByCurrentThread());
      });
      Thread timed = threads.start(() ->
          assertThrows(InterruptedException.class, () -> lock.tryLock(1, TimeUnit.HOURS)));
      Threads.until(() -> lock.getQueueLength() == 2);
      waiter.interrupt();
      timed.interrupt();
    }
    assertFalse(lock.hasQueuedThreads());
    lock.unlock();
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void interruptBeforeTheWaitEndsIt(Threads.Kind kind) throws Exception {
    try (Threads threads = new Threads(kind)) {
      threads.start(() -> {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, lock::lockInterruptibly);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> lock.tryLock(1, TimeUnit.SECONDS));
        Thread.currentThread().interrupt();
        lock.lock();
        lock.unlock();
        assertTrue(Thread.interrupted());
      });
    }
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void lockKeepsAnInterruptForLater(Threads.Kind kind) throws Exception {
    lock.lock();
    try (Threads threads = new Threads(kind)) {
      Thread waiter = threads.start(() -> {
        lock.lock();
        assertTrue(Thread.interrupted());
        lock.unlock();
      });
      Threads.until(() -> lock.getQueueLength() == 1);
      waiter.interrupt();
      Thread.sleep(5);
      assertEquals(1, lock.getQueueLength());
      lock.unlock();
    }
  }

  /** A waiter that leaves from the middle does not break the line. */
  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void othersKeepTheirPlace(Threads.Kind kind) throws Exception {
    AtomicInteger entered = new AtomicInteger();
    AtomicInteger left = new AtomicInteger();
    lock.lock();
    try (Threads threads = new Threads(kind)) {
      Thread[] waiters = new Thread[30];
      for (int i = 0; i < waiters.length; ++i) {
        int index = i;
        waiters[i] = threads.start(() -> {
          try {
            lock.lockInterruptibly();
            entered.incrementAndGet();
            lock.unlock();
          } catch (InterruptedException expected) {
            left.incrementAndGet();
          }
        });
        Threads.until(() -> lock.getQueueLength() == index + 1);
      }
      for (int i = 0; i < waiters.length; i += 3) {
        waiters[i].interrupt();
      }
      Threads.until(() -> left.get() == 10);
      assertEquals(20, lock.getQueueLength());
      lock.unlock();
    }
    assertEquals(20, entered.get());
  }

  /** Grants, timeouts and interrupts at the same moment: no thread is lost, none enters twice. */
  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void limitsRaceWithGrants(Threads.Kind kind) throws Exception {
    int tasks = 32;
    int rounds = 500;
    AtomicInteger entered = new AtomicInteger();
    try (Threads threads = new Threads(kind)) {
      Thread[] all = new Thread[tasks];
      for (int i = 0; i < tasks; ++i) {
        all[i] = threads.start(() -> {
          for (int k = 0; k < rounds; ++k) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            boolean owns = false;
            try {
              if (random.nextBoolean()) {
                owns = lock.tryLock(random.nextInt(1, 200), TimeUnit.MICROSECONDS);
              } else {
                lock.lockInterruptibly();
                owns = true;
              }
            } catch (InterruptedException expected) {
              assertFalse(lock.isHeldByCurrentThread());
            }
            assertEquals(owns, lock.isHeldByCurrentThread());
            if (owns) {
              ++counter;
              entered.incrementAndGet();
              if (random.nextInt(8) == 0) {
                Thread.yield();
              }
              lock.unlock();
            }
            if (random.nextInt(4) == 0 && all[random.nextInt(tasks)] instanceof Thread other) {
              other.interrupt();
            }
          }
        });
      }
    }
    assertEquals(entered.get(), counter);
    assertFalse(lock.isLocked());
    assertFalse(lock.hasQueuedThreads());
  }
}
