// integrations/java/bench/org/hotseat/bench/Run.java — one run of the paper's mutex benchmark.
package org.hotseat.bench;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Lock;

/** Tasks that draw a prime, insert it into a shared map under the lock, and factor it. */
final class Run {
  private final Lock lock;
  private final int[] primes;
  private final int iterations;
  private final long sectionNanos;
  private final long seed;
  private final Map<Integer, Integer> map = new HashMap<>();
  private long sections;
  private final int[] found;

  /** Counts all tasks: joining each in turn would wake us for each, on one of their processors. */
  private final CountDownLatch running;

  Run(Lock lock, int[] primes, int tasks, int iterations, long sectionNanos, long seed) {
    this.lock = lock;
    this.primes = primes;
    this.iterations = iterations;
    this.sectionNanos = sectionNanos;
    this.seed = seed;
    this.found = new int[tasks];
    this.running = new CountDownLatch(tasks);
  }

  /** Runs all tasks and checks their results. Returns millions of iterations a second. */
  double measure(ThreadFactory factory) throws InterruptedException {
    Thread[] threads = new Thread[found.length];
    for (int i = 0; i < threads.length; ++i) {
      int index = i;
      threads[i] = factory.newThread(() -> {
        try {
          task(index);
        } finally {
          running.countDown();
        }
      });
    }
    long start = System.nanoTime();
    for (Thread thread : threads) {
      thread.start();
    }
    running.await();
    long nanos = System.nanoTime() - start;
    check();
    return 1e3 * sections / nanos;
  }

  private void task(int index) {
    // Odd times nonzero: the generator's state must not be 0.
    long random = 0x9E3779B97F4A7C15L * ((seed << 32) + index + 1);
    int count = 0;
    for (int i = 0; i < iterations; ++i) {
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      int prime = primes[(int) ((random >>> 33) % primes.length)];
      lock.lock();
      try {
        section(prime);
      } finally {
        lock.unlock();
      }
      count += Primes.factors(prime);
    }
    found[index] = count;
  }

  private void section(int prime) {
    map.put(prime, prime);
    ++sections;
    if (sectionNanos > 0) {
      long start = System.nanoTime();
      while (System.nanoTime() - start < sectionNanos) {}
    }
  }

  private void check() {
    if (sections != (long) found.length * iterations) {
      throw new IllegalStateException("sections were lost: " + sections);
    }
    for (Map.Entry<Integer, Integer> each : map.entrySet()) {
      if (!each.getKey().equals(each.getValue())) {
        throw new IllegalStateException("the map is wrong at " + each.getKey());
      }
    }
    for (int count : found) {
      if (count != iterations) {
        throw new IllegalStateException("a task did not finish its work");
      }
    }
  }
}
