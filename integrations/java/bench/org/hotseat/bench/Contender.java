// integrations/java/bench/org/hotseat/bench/Contender.java — the locks that are measured.
package org.hotseat.bench;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.hotseat.ExchangeLock;

/** A lock on a scheduler. */
enum Contender {
  REENTRANT_DEFAULT("ReentrantLock, JDK scheduler", "dispatch", false, false),
  REENTRANT_OURS("ReentrantLock, our scheduler", "dispatch, our scheduler", true, false),
  EXCHANGE("ExchangeLock, our scheduler", "exchange", true, true);

  final String title;
  /** The name in bench/plot.py. */
  final String handOff;
  final boolean onOurScheduler;
  private final boolean isExchange;

  Contender(String title, String handOff, boolean onOurScheduler, boolean isExchange) {
    this.title = title;
    this.handOff = handOff;
    this.onOurScheduler = onOurScheduler;
    this.isExchange = isExchange;
  }

  Lock newLock() {
    return isExchange ? new ExchangeLock() : new ReentrantLock();
  }
}
