// integrations/java/src/org/hotseat/SpinBudget.java — how long it is worth to spin for a lock.
package org.hotseat;

/**
 * Spinning costs what the carrier could do instead. If it has nothing else to run it would go to
 * sleep, and waking it costs more than to spin for a while. If other threads wait for it, spinning
 * must not take longer than the switch it saves, and less after each failure. If there are more
 * busy carriers than processors, the one who spins may keep the owner from running.
 *
 * <p>Only the one thread that spins writes it, and a lost update changes nothing but speed.
 */
final class SpinBudget {
  private static final int LEAST = Integer.getInteger("hotseat.least", 500);
  private static final int MOST = Integer.getInteger("hotseat.most", 3000);
  private static final int MOST_IDLE = Integer.getInteger("hotseat.idle", 20000);
  private static final int TIMES_THE_WAIT = 4;
  private static final boolean ONE_CPU = Runtime.getRuntime().availableProcessors() == 1;

  private int learnt = MOST;

  /** In ns; 0 where spinning is of no use. */
  int budget() {
    if (ONE_CPU) {
      return 0;
    }
    Carrier carrier = Carrier.current();
    if (carrier == null) {
      return learnt;
    }
    if (carrier.pool().isCrowded()) {
      return LEAST;
    }
    return carrier.hasQueued() ? learnt : MOST_IDLE;
  }

  void succeeded(long waited) {
    long wanted = Math.min(MOST, LEAST + TIMES_THE_WAIT * waited);
    learnt += (int) (wanted - learnt) / 8;
  }

  void failed() {
    learnt = Math.max(LEAST, learnt - learnt / 4);
  }
}
