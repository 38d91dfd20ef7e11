// integrations/java/bench/org/hotseat/bench/Child.java — one contender in a JVM of its own.
package org.hotseat.bench;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import java.util.concurrent.ThreadFactory;
import org.hotseat.ExchangeScheduler;

/**
 * Warms up and prints {@code READY}; then runs each section length that it is told, and prints
 * {@code RESULT mops}. One JVM each, so that no contender is compiled with another's profile.
 */
final class Child {
  static final String READY = "READY";
  static final String RESULT = "RESULT";

  private static final double PARALLEL_NANOS_LARGE = 1500;
  private static final double PARALLEL_NANOS_SMALL = 200;
  private static final double LEAST_NANOS = 200;

  /** The compilers rest if they need less time than this in a round of warm-up, in ms. */
  private static final long RESTS_MILLIS = 10;
  private static final int MOST_WARM_UPS = 5;

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
      warmUp(settings, contender, factory, primes, carriers);
      System.out.println(READY);
      Scanner orders = new Scanner(System.in, StandardCharsets.UTF_8);
      while (orders.hasNextLong()) {
        long nanos = orders.nextLong();
        System.gc();  // The heap has room for a run: none has to collect it.
        double mops =
            once(settings, contender, factory, primes, carriers, nanos, settings.runMillis);
        System.out.println(RESULT + " " + mops);
      }
    }
  }

  /** Warms up for a while, and until the compilers rest: their threads need a processor, too. */
  private static void warmUp(Settings settings, Contender contender, ThreadFactory factory,
      int[] primes, int carriers) throws InterruptedException {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    long start = System.nanoTime();
    for (long least = settings.warmUpMillis * 1_000_000, most = MOST_WARM_UPS * least;;) {
      long before = compilers.getTotalCompilationTime();
      for (long nanos : settings.sections) {
        once(settings, contender, factory, primes, carriers, nanos, settings.runMillis / 4);
      }
      boolean restNow = compilers.getTotalCompilationTime() - before < RESTS_MILLIS;
      long spent = System.nanoTime() - start;
      if ((restNow && spent >= least) || spent >= most) {
        return;
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
