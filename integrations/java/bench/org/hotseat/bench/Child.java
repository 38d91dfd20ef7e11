// integrations/java/bench/org/hotseat/bench/Child.java — one contender in a JVM of its own.
package org.hotseat.bench;

import java.util.concurrent.ThreadFactory;
import org.hotseat.ExchangeScheduler;

/**
 * Warms up, then runs each section length once and prints {@code RESULT nanos mops}. A JVM for
 * each, so that no contender is compiled with the profile of another.
 */
final class Child {
  private static final double PARALLEL_NANOS_LARGE = 1500;
  private static final double PARALLEL_NANOS_SMALL = 200;
  private static final double LEAST_NANOS = 200;

  private Child() {}

  public static void main(String[] arguments) throws InterruptedException {
    Settings settings = Settings.parse(arguments);
    Contender contender = settings.contenders.get(0);
    int carriers = settings.carriers[0];
    try (ExchangeScheduler scheduler =
             contender.onOurScheduler ? ExchangeScheduler.start(carriers) : null) {
      ThreadFactory factory =
          scheduler != null ? scheduler : Thread.ofVirtual().factory();
      int[] primes = Primes.near(settings.isLarge);
      long end = System.nanoTime() + settings.warmUpMillis * 1_000_000L;
      do {
        for (long nanos : settings.sections) {
          once(settings, contender, factory, primes, carriers, nanos, settings.runMillis / 10);
        }
      } while (System.nanoTime() < end);
      for (long nanos : settings.sections) {
        double mops =
            once(settings, contender, factory, primes, carriers, nanos, settings.runMillis);
        System.out.println("RESULT " + nanos + " " + mops);
      }
    }
  }

  private static double once(Settings settings, Contender contender, ThreadFactory factory,
      int[] primes, int carriers, long sectionNanos, long millis) throws InterruptedException {
    int iterations = iterations(settings, carriers, sectionNanos, millis);
    return new Run(contender.newLock(), primes, settings.tasks, iterations, sectionNanos,
        settings.seed).measure(factory);
  }

  /** The same for all contenders, so that each does the same work in about this time. */
  private static int iterations(
      Settings settings, int carriers, long sectionNanos, long millis) {
    double parallel = settings.isLarge ? PARALLEL_NANOS_LARGE : PARALLEL_NANOS_SMALL;
    int cpus = Math.min(carriers, Runtime.getRuntime().availableProcessors());
    double each = Math.max(sectionNanos + LEAST_NANOS,
        (sectionNanos + LEAST_NANOS + parallel) / cpus);
    return (int) Math.max(1, Math.round(millis * 1e6 / each / settings.tasks));
  }
}
