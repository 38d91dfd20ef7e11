// integrations/java/tests/org/hotseat/FairTest.java — a fair lock lets no thread overtake the line.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FairTest {
  private static final int ROUNDS = 100;

  private final ExchangeLock lock = new ExchangeLock(true);

  /** How a thread that has just unlocked comes back. */
  private interface Taking {
    boolean take() throws InterruptedException;
  }

  private boolean lock() {
    lock.lock();
    return true;
  }

  private boolean lockInterruptibly() throws InterruptedException {
    lock.lockInterruptibly();
    return true;
  }

  private boolean lockInTime() throws InterruptedException {
    return lock.tryLock(1, TimeUnit.HOURS);
  }

  /**
   * A thread unlocks while another one waits, and comes back at once: the other one has been inside
   * first. This holds whatever the machine does meanwhile.
   */
  private void comesBackAfterTheWaiter(Threads.Kind kind, Taking again) throws Exception {
    AtomicInteger entered = new AtomicInteger();
    try (Threads threads = new Threads(kind)) {
      threads.start(() -> {
        for (int i = 0; i < ROUNDS; ++i) {
          lock.lock();
          Thread waiter = threads.start(() -> {
            lock.lock();
            entered.incrementAndGet();
            lock.unlock();
          });
          Threads.until(() -> lock.hasQueuedThread(waiter));
          lock.unlock();
          int enteredBefore = i + 1;
          if (again.take()) {
            enteredBefore = entered.get();
            lock.unlock();
          }
          Threads.until(() -> !waiter.isAlive());
          assertEquals(i + 1, enteredBefore);
        }
      }).join();
    }
    assertEquals(ROUNDS, entered.get());
    assertFalse(lock.isLocked());
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void lockDoesNotOvertake(Threads.Kind kind) throws Exception {
    comesBackAfterTheWaiter(kind, this::lock);
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void lockInterruptiblyDoesNotOvertake(Threads.Kind kind) throws Exception {
    comesBackAfterTheWaiter(kind, this::lockInterruptibly);
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void timedTryLockDoesNotOvertake(Threads.Kind kind) throws Exception {
    comesBackAfterTheWaiter(kind, this::lockInTime);
  }

  /** It does not look at the line, but finds the lock free only when no thread waits. */
  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void tryLockFindsItTakenWhileAThreadWaits(Threads.Kind kind) throws Exception {
    comesBackAfterTheWaiter(kind, lock::tryLock);
    assertTrue(lock.tryLock());
    lock.unlock();
  }
}
