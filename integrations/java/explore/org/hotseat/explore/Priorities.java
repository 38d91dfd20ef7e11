// integrations/java/explore/org/hotseat/explore/Priorities.java — strands with random priorities.
package org.hotseat.explore;

import java.util.SplittableRandom;

/**
 * The strand with the highest priority runs; at a few random steps the running strand gets the
 * lowest. A bug that takes d such changes is found with a probability of about 1 / (n * k^(d-1)),
 * for n strands and k steps ("A Randomized Scheduler with Probabilistic Guarantees of Finding
 * Bugs").
 */
final class Priorities implements Strategy {
  private static final int MOST_CHANGES = 4;
  private static final int STEPS = 160;
  private static final double TIMER = 0.03;
  private static final double CHANCE = 0.02;

  private final SplittableRandom random;
  private final int[] changes = new int[MOST_CHANGES];
  private int step;
  private long lowest;

  Priorities(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  public boolean begin() {
    step = 0;
    lowest = 0;
    int used = random.nextInt(MOST_CHANGES + 1);
    for (int i = 0; i < MOST_CHANGES; ++i) {
      changes[i] = i < used ? random.nextInt(STEPS) : -1;
    }
    return true;
  }

  @Override
  public int decide(Kind kind, int options) {
    return switch (kind) {
      case DATA -> random.nextInt(options);
      default -> random.nextDouble() < CHANCE ? random.nextInt(options) : 0;
    };
  }

  @Override
  public int pick(Strand[] strands, int runnable, int options) {
    if (runnable < options && (runnable == 0 || random.nextDouble() < TIMER)) {
      return runnable + random.nextInt(options - runnable);
    }
    ++step;
    for (int change : changes) {
      if (change == step) {
        strands[highest(strands, runnable)].priority = --lowest;
      }
    }
    return highest(strands, runnable);
  }

  private int highest(Strand[] strands, int runnable) {
    int best = 0;
    for (int i = 0; i < runnable; ++i) {
      if (strands[i].priority == 0) {
        strands[i].priority = 1 + random.nextInt(1 << 20);
      }
      if (strands[i].priority > strands[best].priority) {
        best = i;
      }
    }
    return best;
  }

  @Override
  public void paused(Strand strand) {
    strand.priority = --lowest;
  }
}
