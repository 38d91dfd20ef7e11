// integrations/java/src/org/hotseat/Spinner.java — a thread that watches the word of a lock.
package org.hotseat;

import java.io.Serializable;

/**
 * One running thread at a time may watch the word. It takes the lock as soon as it is free, which
 * costs neither a switch nor a wake-up: this makes short sections fast.
 *
 * <p>Spinning costs what the carrier could do instead. A carrier with nothing else to run would go
 * to sleep, and waking it costs more than spinning for a while. If other threads wait for the
 * carrier, spinning must not take longer than the switch that it saves, and less after each
 * failure. If more carriers are busy than there are processors, a spinning thread may keep the
 * owner from running.
 */
final class Spinner implements Serializable {
  private static final long serialVersionUID = 1;

  private static final int LEAST_NANOS = 500;
  private static final int MOST_NANOS = 3_000;
  private static final int IDLE_NANOS = 20_000;
  private static final int TIMES_THE_WAIT = 4;
  private static final int LEARN_SHIFT = 3;
  private static final int LOOKS_PER_CLOCK = 8;

  /** About as many looks as fit into the time that joining the line takes. */
  private static final int BRIEF_LOOKS = 6;

  private static final boolean ONE_CPU = Runtime.getRuntime().availableProcessors() == 1;

  private final LockWord word;

  /** In ns. Only the spinning thread writes it; a lost update affects nothing but speed. */
  private int learnt = MOST_NANOS;

  Spinner(LockWord word) {
    this.word = word;
  }

  /** Waits for the lock without joining the line. True if the lock was taken. */
  boolean spin() {
    int budget = budget();
    for (;;) {
      int seen = word.look();
      if (word.tryTake(seen, 0)) {
        return true;
      }
      if (budget == 0 || (seen & (LockWord.SPINNER | LockWord.URGENT)) != 0) {
        return tryBriefly();
      }
      if ((seen & LockWord.LOCKED) != 0 && word.change(seen, seen | LockWord.SPINNER)) {
        return watch(budget) || giveUp();
      }
    }
  }

  /** In ns; 0 where spinning is useless. */
  int budget() {
    if (ONE_CPU) {
      return 0;
    }
    Carrier carrier = Carrier.current();
    if (carrier == null) {
      return learnt;
    }
    if (carrier.pool().isCrowded()) {
      return LEAST_NANOS;
    }
    return learnt;
  }

  /**
   * Whether the carrier would go to sleep. An owner that does not come back may have lost its
   * processor; then it is better to run something else, if there is anything. Asked only when the
   * budget is used up, since it looks at all queues.
   */
  private static boolean isIdle() {
    Carrier carrier = Carrier.current();
    return carrier != null && !carrier.pool().isCrowded() && !carrier.pool().hasQueued();
  }

  private boolean watch(int budget) {
    long start = System.nanoTime();
    long now = start;
    while (now - start < budget || (now - start < IDLE_NANOS && isIdle())) {
      for (int i = 0; i < LOOKS_PER_CLOCK; ++i) {
        if (word.tryTake(word.look(), LockWord.SPINNER)) {
          learn(now - start);
          return true;
        }
        Thread.onSpinWait();
      }
      now = System.nanoTime();
    }
    return false;
  }

  /** L1: if the lock is free by now, we have to see to the line. */
  private boolean giveUp() {
    for (;;) {
      int seen = word.look();
      if (word.tryTake(seen, LockWord.SPINNER)) {
        return true;
      }
      if ((seen & LockWord.LOCKED) != 0 && word.change(seen, seen & ~LockWord.SPINNER)) {
        learnt = Math.max(LEAST_NANOS, learnt - learnt / TIMES_THE_WAIT);
        return false;
      }
    }
  }

  private boolean tryBriefly() {
    for (int i = 0; i < BRIEF_LOOKS; ++i) {
      Thread.onSpinWait();
      if (word.tryTake(word.look(), 0)) {
        return true;
      }
    }
    return false;
  }

  private void learn(long waited) {
    int wanted = (int) Math.min(MOST_NANOS, LEAST_NANOS + TIMES_THE_WAIT * waited);
    learnt += (wanted - learnt) >> LEARN_SHIFT;
  }
}
