// integrations/java/bench/org/hotseat/bench/Primes.java — the paper's work: primes and factors.
package org.hotseat.bench;

/** The same numbers and the same work as {@code bench/support/primes.hpp}. */
final class Primes {
  private static final int ON_EACH_SIDE = 500;

  private Primes() {}

  /** Number of prime factors, the hard way: a sieve up to the root, then trial division. */
  static int factors(int number) {
    int n = number;
    int root = (int) Math.sqrt(n);
    boolean[] isComposite = new boolean[root + 1];
    int count = 0;
    for (int i = 2; i <= root; ++i) {
      if (isComposite[i]) {
        continue;
      }
      for (int multiple = i * i; multiple <= root; multiple += i) {
        isComposite[multiple] = true;
      }
      for (; n % i == 0; n /= i) {
        ++count;
      }
    }
    return n > 1 ? count + 1 : count;
  }

  /** The 500 primes below and the 500 above 2^20, or 2^14 for a short parallel part. */
  static int[] near(boolean large) {
    int middle = large ? 1 << 20 : 1 << 14;
    int[] primes = new int[2 * ON_EACH_SIDE];
    int found = 0;
    for (int n = middle; found < ON_EACH_SIDE; --n) {
      if (factors(n) == 1) {
        primes[found++] = n;
      }
    }
    for (int n = middle + 1; found < primes.length; ++n) {
      if (factors(n) == 1) {
        primes[found++] = n;
      }
    }
    return primes;
  }
}
