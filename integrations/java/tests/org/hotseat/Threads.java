// integrations/java/tests/org/hotseat/Threads.java — threads of all kinds, for the tests.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** Starts threads and ends with them: an exception in a thread fails the test. */
final class Threads implements AutoCloseable {
  /** Where a thread of a test runs. */
  enum Kind {
    OURS, OURS_ONE_CARRIER, OURS_MANY_CARRIERS, JDK, PLATFORM, MIXED
  }

  /** A safeguard against hangs; no test relies on it. Time while we are stopped does not count. */
  private static final class Patience {
    private static final long SLICE_NANOS = 50_000_000;

    private long left = 120_000_000_000L;
    private long last = System.nanoTime();

    boolean isOver() {
      long now = System.nanoTime();
      left -= Math.min(now - last, SLICE_NANOS);
      last = now;
      return left <= 0;
    }
  }

  private static final Duration LOOK = Duration.ofMillis(10);

  private final List<ExchangeScheduler> schedulers = new ArrayList<>();
  private final List<ThreadFactory> factories = new ArrayList<>();
  private final List<Thread> started = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  Threads(Kind kind) {
    switch (kind) {
      case OURS -> addScheduler(2);
      case OURS_ONE_CARRIER -> addScheduler(1);
      case OURS_MANY_CARRIERS -> addScheduler(8);
      case JDK -> factories.add(Thread.ofVirtual().factory());
      case PLATFORM -> factories.add(Thread.ofPlatform().factory());
      case MIXED -> {
        addScheduler(2);
        factories.add(Thread.ofPlatform().factory());
        addScheduler(1);
        factories.add(Thread.ofVirtual().factory());
      }
    }
  }

  private void addScheduler(int carriers) {
    ExchangeScheduler scheduler = ExchangeScheduler.start(carriers);
    schedulers.add(scheduler);
    factories.add(scheduler);
  }

  /** What a thread does. */
  interface Body {
    void run() throws Exception;
  }

  /** Starts a thread; the kinds take turns if there are several. */
  Thread start(Body body) {
    Thread thread = factories.get(started.size() % factories.size()).newThread(() -> {
      try {
        body.run();
      } catch (Throwable thrown) {
        failure.compareAndSet(null, thrown);
      }
    });
    started.add(thread);
    thread.start();
    return thread;
  }

  /** Waits for all threads. */
  void join() throws InterruptedException {
    for (Thread thread : started) {
      for (Patience patience = new Patience(); !thread.join(LOOK); ) {
        assertFalse(patience.isOver(), () -> "hangs: " + thread + where(thread));
      }
    }
    started.clear();
    if (failure.get() != null) {
      throw new AssertionError("a thread failed", failure.get());
    }
  }

  @Override
  public void close() throws InterruptedException {
    join();
    schedulers.forEach(ExchangeScheduler::close);
  }

  private static String where(Thread thread) {
    StringBuilder text = new StringBuilder();
    for (StackTraceElement each : thread.getStackTrace()) {
      text.append("\n  ").append(each);
    }
    return text.toString();
  }

  /** Waits until something has happened in another thread that has no event for it. */
  static void until(BooleanSupplier happened) {
    Patience patience = new Patience();
    while (!happened.getAsBoolean()) {
      assertFalse(patience.isOver(), "it never happens");
      Thread.yield();
    }
  }

  /** The same for an event; a virtual thread suspends. */
  static void await(CountDownLatch happens) {
    try {
      Patience patience = new Patience();
      while (!happens.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
        assertFalse(patience.isOver(), "it never happens");
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** The same without giving up the carrier. */
  static void spinUntil(BooleanSupplier happened) {
    Patience patience = new Patience();
    while (!happened.getAsBoolean()) {
      assertFalse(patience.isOver(), "it never happens");
      Thread.onSpinWait();
    }
  }
}
