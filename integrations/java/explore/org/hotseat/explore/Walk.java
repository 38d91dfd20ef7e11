// integrations/java/explore/org/hotseat/explore/Walk.java — random schedules.
package org.hotseat.explore;

import java.util.SplittableRandom;

/** Each schedule has its own rate of switches: from hardly ever another strand to always any. */
final class Walk implements Strategy {
  private static final double[] TEMPERS = {0.03, 0.1, 0.25, 0.5, 1};
  private static final double CHANCE = 0.05;

  private final SplittableRandom random;
  private double temper;

  Walk(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  public boolean begin() {
    temper = TEMPERS[random.nextInt(TEMPERS.length)];
    return true;
  }

  @Override
  public int decide(Kind kind, int options) {
    return switch (kind) {
      case DATA -> random.nextInt(options);
      case CHANCE -> random.nextDouble() < CHANCE ? random.nextInt(options) : 0;
      case STRAND -> random.nextDouble() < temper ? random.nextInt(options) : 0;
    };
  }
}
