// integrations/java/model/org/hotseat/CarrierPool.java — a modelled scheduler of virtual threads.
package org.hotseat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.hotseat.explore.Clock;

/**
 * Carriers around one queue. An idle carrier looks at it whenever it is not empty: how the real
 * pool wakes its carriers is not modelled, and its nudge comes when a slot is stuck. What the lock
 * asks about the pool is a guess that may turn out either way.
 */
final class CarrierPool {
  private record Ready(Runnable continuation, Clock before) {}

  private final List<Carrier> carriers = new ArrayList<>();
  private final ArrayDeque<Ready> queue = new ArrayDeque<>();
  private final List<Carrier> idle = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** Whether the nudge comes even if no carrier is blocked. */
  private boolean isNudgeEarly;

  CarrierPool(int count) {
    for (int i = 0; i < count; ++i) {
      carriers.add(new Carrier(this));
    }
    Thread.startDaemon("nudge", this::nudge);
  }

  /** Adds a virtual thread of this pool. */
  void add(Thread thread) {
    threads.add(thread);
  }

  void setNudgeEarly() {
    isNudgeEarly = true;
  }

  private void nudge() {
    for (;;) {
      Thread.until(this::needsNudge);
      for (Carrier each : carriers) {
        Runnable stuck = each.takeStuck();
        if (stuck != null) {
          enqueueHere(stuck);
        }
      }
    }
  }

  private boolean needsNudge() {
    for (Carrier each : carriers) {
      if (each.hasNext() && (isNudgeEarly || isBlocked(each))) {
        return true;
      }
    }
    return false;
  }

  private boolean isBlocked(Carrier carrier) {
    for (Thread each : threads) {
      if (each.carrier() == carrier && each.isParkedOnCarrier()) {
        return true;
      }
    }
    return false;
  }

  void lookAfterSlotsSoon() {}

  String nextName() {
    return "carrier " + carriers.size();
  }

  void add(Carrier carrier) {}

  void remove(Carrier carrier) {}

  /** Called by a carrier: what a worker of the pool does. */
  void work() {
    Carrier self = (Carrier) Thread.currentThread();
    for (;;) {
      Here.run.point();
      Ready ready = queue.poll();
      if (ready == null) {
        idle.add(self);
        Here.run.block(0);
      } else {
        self.strand().clock().join(ready.before);
        self.run(ready.continuation);
      }
    }
  }

  /** The same lines as in the real pool. */
  void execute(Runnable continuation) {
    Carrier carrier = Carrier.current();
    if (carrier == null || carrier.pool() != this) {
      enqueueHere(continuation);
    } else if (!carrier.take(continuation)) {
      carrier.enqueue(continuation);
    }
  }

  void enqueueHere(Runnable continuation) {
    Clock before = new Clock();
    if (Here.run.current() != null) {
      before.set(Here.run.current().clock());
      Here.run.current().advance();
    }
    queue.add(new Ready(continuation, before));
    for (Carrier each : idle) {
      Here.run.wake(each.strand());
    }
    idle.clear();
  }

  boolean enqueueQuietly(Runnable continuation) {
    enqueueHere(continuation);
    return Here.run.chance();
  }

  void wakeOne() {}

  boolean hasIdle() {
    return idle.isEmpty() == Here.run.chance();
  }

  boolean hasQueued() {
    return queue.isEmpty() == Here.run.chance();
  }

  boolean isCrowded() {
    return Here.run.chance();
  }
}
