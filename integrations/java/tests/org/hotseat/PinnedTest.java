// integrations/java/tests/org/hotseat/PinnedTest.java — threads that cannot leave their carrier.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

class PinnedTest {
  private final ExchangeLock lock = new ExchangeLock();
  private final Condition changed = lock.newCondition();
  private boolean done;

  /** Code of a class that is being initialized pins its thread. */
  private static Runnable whilePinned;

  private static final class ForUnlock {
    static final boolean DONE;

    static {
      whilePinned.run();
      DONE = true;
    }
  }

  private static final class ForAwait {
    static final boolean DONE;

    static {
      whilePinned.run();
      DONE = true;
    }
  }

  /** The pinned owner keeps the carrier; the heir is scheduled. */
  @Test
  void pinnedOwnerHandsOverToo() throws Exception {
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      CountDownLatch heirDone = new CountDownLatch(1);
      threads.start(() -> {
        lock.lock();
        Thread heir = threads.start(() -> {
          lock.lock();
          lock.unlock();
          heirDone.countDown();
        });
        ExchangeLockTest.untilItSleepsAlone(heir);
        whilePinned = () -> {
          lock.unlock();
          assertFalse(Carrier.current().hasNext());
          Threads.await(heirDone);  // Or it is stuck in the slot.
        };
        assertTrue(ForUnlock.DONE);
      }).join();
    }
  }

  /** A pinned waiter blocks its carrier, but the heir, which is to signal, must run elsewhere. */
  @Test
  void pinnedThreadWaitsForItsHeir() throws Exception {
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      Thread waiter = threads.start(() -> {
        lock.lock();
        Thread heir = threads.start(() -> {
          lock.lock();
          done = true;
          changed.signal();
          lock.unlock();
        });
        ExchangeLockTest.untilItSleepsAlone(heir);
        whilePinned = () -> {
          while (!done) {
            changed.awaitUninterruptibly();
          }
        };
        assertTrue(ForAwait.DONE);
        lock.unlock();
      });
      Threads.until(() -> !waiter.isAlive());  // Or the heir is stuck in the slot of the carrier.
    }
  }
}
