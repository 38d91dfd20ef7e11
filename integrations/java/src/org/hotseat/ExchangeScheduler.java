// integrations/java/src/org/hotseat/ExchangeScheduler.java — virtual threads that can exchange.
package org.hotseat;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A scheduler for virtual threads, and the factory of its threads. They are ordinary virtual
 * threads, but {@link ExchangeLock} can exchange them, since it knows their carriers.
 *
 * <p>It needs a part of the JDK that is not public, hence the flag {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}. Without it, {@link #start} says so, and {@link
 * #startOrFallBack} uses the JDK's own scheduler, on which the lock works, but does not exchange.
 */
public final class ExchangeScheduler implements ThreadFactory, AutoCloseable {
  /** Only a safeguard: the last thread to end wakes the thread that closes. */
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Null if we fell back. */
  private final CarrierPool pool;

  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  private volatile Thread closer;

  private ExchangeScheduler(CarrierPool pool) {
    this.pool = pool;
  }

  /** Starts a scheduler with as many carriers as there are processors. */
  public static ExchangeScheduler start() {
    return start(Runtime.getRuntime().availableProcessors());
  }

  /**
   * Starts a scheduler with the given number of carriers.
   *
   * @throws UnsupportedOperationException if this JDK forbids it; the message says what to do
   */
  public static ExchangeScheduler start(int carriers) {
    if (JdkInternals.problem() != null) {
      throw new UnsupportedOperationException(
          "hotseat cannot schedule virtual threads: " + JdkInternals.problem());
    }
    return new ExchangeScheduler(new CarrierPool(carriers));
  }

  /** The same, but uses the JDK's own scheduler, with its carriers, if there is no other way. */
  public static ExchangeScheduler startOrFallBack(int carriers) {
    return JdkInternals.problem() == null ? start(carriers) : new ExchangeScheduler(null);
  }

  /** Whether its threads exchange: false if it fell back. */
  public boolean canExchange() {
    return pool != null;
  }

  /** Returns a virtual thread of this scheduler, not started yet. */
  @Override
  public Thread newThread(Runnable task) {
    Thread.Builder.OfVirtual builder =
        pool == null ? Thread.ofVirtual() : JdkInternals.newBuilder(pool);
    return builder.unstarted(() -> {
      begun.incrementAndGet();
      try {
        task.run();
      } finally {
        ended.incrementAndGet();
        LockSupport.unpark(closer);
      }
    });
  }

  /** Starts a virtual thread of this scheduler. */
  public Thread startThread(Runnable task) {
    Thread thread = newThread(task);
    thread.start();
    return thread;
  }

  /**
   * Waits until all threads started before have ended, then ends the carriers. No thread is lost: a
   * sleeping or waiting thread keeps its carriers.
   *
   * @throws IllegalStateException if one of these threads calls it
   */
  @Override
  public void close() {
    Carrier carrier = Carrier.current();
    if (carrier != null && carrier.pool() == pool) {
      throw new IllegalStateException("a thread cannot close the scheduler that runs it");
    }
    boolean interrupted = false;
    closer = Thread.currentThread();
    while (!hasEnded()) {
      LockSupport.parkNanos(this, LOOK_AGAIN_NANOS);
      interrupted |= Thread.interrupted();
    }
    if (pool != null) {
      pool.close();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The order matters. If as many had ended before as have started after, then none started in
   * between, and a thread not started yet is in a queue of the pool, which then is not quiescent.
   */
  private boolean hasEnded() {
    long endedBefore = ended.get();
    return (pool == null || pool.isQuiescent()) && begun.get() == endedBefore;
  }
}
