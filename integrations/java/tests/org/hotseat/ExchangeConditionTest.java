// integrations/java/tests/org/hotseat/ExchangeConditionTest.java — what a Condition promises.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExchangeConditionTest {
  private final ExchangeLock lock = new ExchangeLock();
  private final Condition changed = lock.newCondition();
  private int value;
  private int waiting;

  @Test
  void onlyTheOwnerMayUseIt() {
    assertThrows(IllegalMonitorStateException.class, changed::await);
    assertThrows(IllegalMonitorStateException.class, changed::signal);
    assertThrows(IllegalMonitorStateException.class, changed::signalAll);
  }

  @Test
  void signalWithoutWaiterIsForgotten() throws Exception {
    lock.lock();
    changed.signal();
    changed.signalAll();
    assertFalse(changed.await(5, TimeUnit.MILLISECONDS));
    assertTrue(lock.isHeldByCurrentThread());
    lock.unlock();
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void signalWakesOneAfterTheOther(Threads.Kind kind) throws Exception {
    int waiters = 20;
    List<Integer> order = new ArrayList<>();
    try (Threads threads = new Threads(kind)) {
      for (int i = 0; i < waiters; ++i) {
        int index = i;
        threads.start(() -> {
          lock.lock();
          ++waiting;
          changed.await();
          order.add(index);
          lock.unlock();
        });
        untilWaiting(i + 1);
      }
      for (int i = 0; i < waiters; ++i) {
        int expected = i + 1;
        lock.lock();
        changed.signal();
        lock.unlock();
        Threads.until(() -> locked(order::size) == expected);
      }
    }
    assertEquals(IntStream.range(0, waiters).boxed().toList(), order);
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void signalAllWakesAll(Threads.Kind kind) throws Exception {
    int waiters = 50;
    AtomicInteger woken = new AtomicInteger();
    try (Threads threads = new Threads(kind)) {
      for (int i = 0; i < waiters; ++i) {
        threads.start(() -> {
          lock.lock();
          ++waiting;
          while (value == 0) {
            changed.await();
          }
          woken.incrementAndGet();
          lock.unlock();
        });
      }
      untilWaiting(waiters);
      lock.lock();
      value = 1;
      changed.signalAll();
      lock.unlock();
    }
    assertEquals(waiters, woken.get());
  }

  /** An unpark unrelated to the condition does not end a wait. */
  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void unparkIsNoSignal(Threads.Kind kind) throws Exception {
    try (Threads threads = new Threads(kind)) {
      Thread waiter = threads.start(() -> {
        lock.lock();
        ++waiting;
        changed.await();
        assertEquals(1, value);
        lock.unlock();
      });
      untilWaiting(1);
      for (int i = 0; i < 100; ++i) {
        LockSupport.unpark(waiter);
        Thread.yield();
      }
      lock.lock();
      value = 1;
      changed.signal();
      lock.unlock();
    }
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void awaitGivesBackAllHolds(Threads.Kind kind) throws Exception {
    try (Threads threads = new Threads(kind)) {
      threads.start(() -> {
        lock.lock();
        lock.lock();
        lock.lock();
        ++waiting;
        changed.await();
        assertEquals(3, lock.getHoldCount());
        lock.unlock();
        lock.unlock();
        lock.unlock();
        assertFalse(lock.isHeldByCurrentThread());
      });
      untilWaiting(1);
      lock.lock();
      changed.signal();
      lock.unlock();
    }
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void awaitEndsWithItsTime(Threads.Kind kind) throws Exception {
    try (Threads threads = new Threads(kind)) {
      threads.start(() -> {
        lock.lock();
        assertTrue(changed.awaitNanos(1_000_000) <= 0);
        assertTrue(changed.awaitNanos(-1) <= 0);
        assertFalse(changed.await(1, TimeUnit.MILLISECONDS));
        assertFalse(changed.awaitUntil(new Date(System.currentTimeMillis() + 2)));
        assertTrue(lock.isHeldByCurrentThread());
        lock.unlock();
      });
    }
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void interruptEndsAwait(Threads.Kind kind) throws Exception {
    try (Threads threads = new Threads(kind)) {
      Thread waiter = threads.start(() -> {
        lock.lock();
        ++waiting;
        assertThrows(InterruptedException.class, changed::await);
        assertTrue(lock.isHeldByCurrentThread());
        assertFalse(Thread.currentThread().isInterrupted());
        lock.unlock();
      });
      untilWaiting(1);
      waiter.interrupt();
      waiter.join();
    }
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void uninterruptibleWaitKeepsAnInterrupt(Threads.Kind kind) throws Exception {
    try (Threads threads = new Threads(kind)) {
      Thread waiter = threads.start(() -> {
        lock.lock();
        ++waiting;
        while (value == 0) {
          changed.awaitUninterruptibly();
        }
        assertTrue(Thread.interrupted());
        lock.unlock();
      });
      untilWaiting(1);
      waiter.interrupt();
      Thread.sleep(5);
      assertTrue(waiter.isAlive());
      lock.lock();
      value = 1;
      changed.signal();
      lock.unlock();
    }
  }

  /** After the signal an interrupt is too late: the wait ends as usual, and the flag stays set. */
  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void interruptAfterSignalIsKept(Threads.Kind kind) throws Exception {
    try (Threads threads = new Threads(kind)) {
      Thread waiter = threads.start(() -> {
        lock.lock();
        ++waiting;
        changed.await();
        assertTrue(Thread.interrupted());
        lock.unlock();
      });
      untilWaiting(1);
      lock.lock();
      changed.signal();
      waiter.interrupt();
      Thread.sleep(5);
      lock.unlock();
    }
  }

  /** Two conditions, timeouts and interrupts: what went in comes out, once. */
  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void boundedBufferLosesNothing(Threads.Kind kind) throws Exception {
    int pairs = 4;
    int each = 3000;
    Condition notEmpty = lock.newCondition();
    Condition notFull = lock.newCondition();
    ArrayDeque<Integer> buffer = new ArrayDeque<>();
    long[] sum = new long[1];
    try (Threads threads = new Threads(kind)) {
      for (int p = 0; p < pairs; ++p) {
        threads.start(() -> {
          for (int i = 1; i <= each; ++i) {
            lock.lock();
            while (buffer.size() == 3) {
              notFull.await(ThreadLocalRandom.current().nextInt(1, 100), TimeUnit.MICROSECONDS);
            }
            buffer.add(i);
            notEmpty.signal();
            lock.unlock();
          }
        });
        threads.start(() -> {
          for (int i = 1; i <= each; ++i) {
            lock.lock();
            while (buffer.isEmpty()) {
              notEmpty.await();
            }
            sum[0] += buffer.remove();
            notFull.signal();
            lock.unlock();
          }
        });
      }
    }
    assertEquals((long) pairs * each * (each + 1) / 2, sum[0]);
    assertFalse(lock.isLocked());
  }

  /**
   * Two threads that pass the lock back and forth in the slot do not keep the carrier for ever.
   */
  @Test
  void pingPongLeavesRoomForOthers() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Threads threads = new Threads(Threads.Kind.OURS_ONE_CARRIER)) {
      for (int i = 0; i < 2; ++i) {
        int side = i;
        threads.start(() -> {
          lock.lock();
          while (!over.get()) {
            while (value % 2 != side && !over.get()) {
              changed.await();
            }
            ++value;
            changed.signal();
          }
          lock.unlock();
        });
      }
      Threads.until(() -> locked(() -> value) > 1000);
      threads.start(() -> over.set(true));
    }
    assertTrue(value > 1000);
  }

  private void untilWaiting(int count) {
    Threads.until(() -> locked(() -> waiting) == count);
  }

  private int locked(java.util.function.IntSupplier look) {
    lock.lock();
    try {
      return look.getAsInt();
    } finally {
      lock.unlock();
    }
  }
}
