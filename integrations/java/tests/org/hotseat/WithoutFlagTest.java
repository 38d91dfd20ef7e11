// integrations/java/tests/org/hotseat/WithoutFlagTest.java — a JVM that was started without the flag.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WithoutFlagTest {
  private long counter;

  @Test
  void errorNamesTheFlag() {
    UnsupportedOperationException error =
        assertThrows(UnsupportedOperationException.class, ExchangeScheduler::start);
    assertTrue(error.getMessage().contains("--add-opens java.base/java.lang=ALL-UNNAMED"),
        error.getMessage());
  }

  @Test
  void lockWorksOnTheSchedulerOfTheJdk() {
    ExchangeLock lock = new ExchangeLock();
    try (ExchangeScheduler scheduler = ExchangeScheduler.startOrFallBack(2)) {
      assertFalse(scheduler.canExchange());
      Thread[] threads = new Thread[200];
      for (int i = 0; i < threads.length; ++i) {
        threads[i] = scheduler.startThread(() -> {
          for (int k = 0; k < 1000; ++k) {
            lock.lock();
            ++counter;
            lock.unlock();
          }
        });
      }
      for (Thread thread : threads) {
        join(thread);
      }
    }
    assertEquals(200_000, counter);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
