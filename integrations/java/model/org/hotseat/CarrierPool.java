// integrations/java/model/org/hotseat/CarrierPool.java — a modelled scheduler of virtual threads.
package org.hotseat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.hotseat.explore.Clock;

/**
 * Carriers around one queue. An idle carrier looks at it whenever something is there: how the real
 * pool wakes its carriers is not modelled. What the lock asks about the pool is a guess that may
 * turn out either way.
 */
final class CarrierPool {
  private record Ready(Runnable continuation, Clock before) {}

  private final List<Carrier> carriers = new ArrayList<>();
  private final ArrayDeque<Ready> queue = new ArrayDeque<>();
  private final List<Carrier> idle = new ArrayList<>();

  CarrierPool(int count) {
    for (int i = 0; i < count; ++i) {
      carriers.add(new Carrier(this));
    }
  }

  String nextName() {
    return "carrier " + carriers.size();
  }

  List<Carrier> carriers() {
    return carriers;
  }

  void add(Carrier carrier) {}

  void remove(Carrier carrier) {}

  /** By a carrier: what a worker of the pool does. */
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
