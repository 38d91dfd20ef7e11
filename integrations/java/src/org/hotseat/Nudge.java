// integrations/java/src/org/hotseat/Nudge.java — looks after the carriers, with a delay.
package org.hotseat;

import java.util.concurrent.locks.LockSupport;

/**
 * The pool does not wake more carriers than processors for the threads that become ready, and a
 * carrier runs its own queue first. But the carriers that are awake may be blocked in the kernel,
 * or run a thread that never suspends. So the nudge looks after them, some time after it was armed,
 * while there is work; it sleeps while there is none. It also empties slots that their carriers do
 * not get round to.
 */
final class Nudge implements AutoCloseable {
  private static final long DELAY_NANOS = 2_000_000;
  private static final long DELAY_NANOS_IF_WELL = 10_000_000;

  private final CarrierPool pool;
  private final Thread thread;
  private volatile boolean armed;
  private volatile boolean closed;

  Nudge(CarrierPool pool) {
    this.pool = pool;
    thread = Thread.ofPlatform().daemon().name("hotseat-nudge").unstarted(this::run);
    thread.start();
  }

  /** Looks at the queues after the delay. Cheap if it is armed already. */
  void arm() {
    if (!armed) {
      armed = true;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    long delay = DELAY_NANOS;
    while (!closed) {
      if (!armed) {
        delay = DELAY_NANOS;
        LockSupport.park(this);
        continue;
      }
      LockSupport.parkNanos(this, delay);
      armed = false;  // Before it looks: later submissions arm it again.
      boolean isFull = pool.lookAfterSlots();
      boolean isWell = pool.lookAfter();
      delay = isWell ? DELAY_NANOS_IF_WELL : DELAY_NANOS;
      if (isFull || pool.hasQueued()) {
        armed = true;
      }
    }
  }
}
