// integrations/java/model/org/hotseat/Thread.java — a thread of the modelled machine.
package org.hotseat;

import java.util.function.BooleanSupplier;
import org.hotseat.explore.Strand;

/**
 * A platform thread, or a virtual one if it has a pool. Virtual threads park and yield in the same
 * steps as those of the JDK: an unpark may come before the thread has fully suspended, and then its
 * carrier makes it ready again.
 */
class Thread {
  private enum State { READY, RUNNING, PARKING, PARKED, UNPARKED, YIELDING }

  private final String name;
  private final CarrierPool pool;
  private final Strand strand;

  /** What the JDK passes to the scheduler. */
  private final Runnable continuation = this::runOnCarrier;

  private State state = State.READY;
  private Carrier carrier;
  private boolean permit;
  private boolean interrupted;
  private boolean parkedOnCarrier;
  private long parkedFor;
  private BooleanSupplier awaited;
  private boolean pinned;
  private boolean ownsAnother;

  /** @param pool of a virtual thread; null if it is a platform thread */
  Thread(String name, CarrierPool pool, boolean daemon, Runnable body) {
    this.name = name;
    this.pool = pool;
    strand = Here.run.add(name, this, daemon, pool == null, () -> {
      body.run();
      end();
    });
    if (pool != null) {
      pool.add(this);
      pool.execute(continuation);
    }
  }

  static void startDaemon(String name, Runnable body) {
    new Thread(name, null, true, body);
  }

  // ---- as java.lang.Thread

  static Thread currentThread() {
    Strand current = Here.run.current();
    return current == null ? null : (Thread) current.thread();
  }

  static boolean interrupted() {
    Here.run.point();
    Thread self = currentThread();
    boolean before = self.interrupted;
    self.interrupted = false;
    return before;
  }

  boolean isInterrupted() {
    return interrupted;
  }

  void interrupt() {
    Here.run.point();
    Here.run.note("interrupts " + name);
    interrupted = true;
    unpark();
  }

  static void onSpinWait() {
    Here.run.pause();
  }

  static void yield() {
    Thread self = currentThread();
    if (self.pool == null || self.pinned) {
      Here.run.pause();
    } else {
      Here.run.point();
      World.require(!self.ownsAnother || !self.carrier.hasNext(),
          "it exchanges although it owns another lock");
      self.suspend(State.YIELDING);
    }
  }

  String getName() {
    return name;
  }

  // ---- for LockSupport

  /** @param nanos 0 for no limit */
  void park(long nanos) {
    Here.run.point();
    if (permit) {
      permit = false;
      return;
    }
    if (interrupted || Here.run.chance()) {
      return;
    }
    Here.run.note("parks");
    if (pool == null || pinned) {
      parkedOnCarrier = true;
      Here.run.block(nanos);
      parkedOnCarrier = false;
      permit = false;
    } else {
      parkedFor = nanos;
      suspend(State.PARKING);
    }
  }

  void unpark() {
    Here.run.point();
    Here.run.note("unparks " + name);
    permit = true;
    if (parkedOnCarrier) {
      Here.run.wake(strand);
    } else if (state == State.PARKED) {
      becomeReady();
    }
  }

  /** Waits for something unrelated to locks, as in another library. */
  static void until(BooleanSupplier happened) {
    Thread self = currentThread();
    Here.run.point();
    while (!Here.run.holds(happened)) {
      Here.run.note("waits for something else");
      if (self.pool == null || self.pinned) {
        Here.run.when(self.strand, happened, () -> Here.run.wake(self.strand));
        Here.run.block(0);
      } else {
        self.awaited = happened;
        self.parkedFor = 0;
        self.suspend(State.PARKING);
        self.awaited = null;
      }
    }
  }

  // ---- virtual threads

  /** From now on the thread can or cannot be unmounted. */
  static void pin(boolean on) {
    currentThread().pinned = on;
  }

  /** It is in another section, which must not wait in a queue. */
  static void setOwnsAnother(boolean on) {
    currentThread().ownsAnother = on;
  }

  boolean isParkedOnCarrier() {
    return parkedOnCarrier;
  }

  final Strand strand() {
    return strand;
  }

  Carrier carrier() {
    return carrier;
  }

  private void becomeReady() {
    state = State.UNPARKED;
    Here.run.arm(strand, 0, null);
    Here.run.when(strand, null, null);
    pool.execute(continuation);
  }

  /** Called by the virtual thread: unmounts it; its carrier continues in {@link #runOnCarrier}. */
  private void suspend(State why) {
    state = why;
    Carrier on = carrier;
    carrier = null;
    Here.run.transfer(on.strand());
  }

  /** Called by a thread at its end: its carrier goes on. */
  private void end() {
    if (carrier != null) {
      state = State.RUNNING;
      carrier.strand().clock().join(strand.clock());
      Here.run.wake(carrier.strand());
      carrier = null;
    }
  }

  /** Called by a carrier: mounts the thread, and returns when it has unmounted or ended. */
  private void runOnCarrier() {
    if (state == State.UNPARKED) {
      permit = false;
    }
    state = State.RUNNING;
    carrier = (Carrier) currentThread();
    Here.run.transfer(strand);
    Here.run.point();
    if (state == State.PARKING) {
      state = State.PARKED;
      Here.run.arm(strand, parkedFor, this::unpark);
      if (awaited != null) {
        Here.run.when(strand, awaited, this::unpark);
      }
      Here.run.point();
      if (permit && state == State.PARKED) {
        becomeReady();
      }
    } else if (state == State.YIELDING) {
      state = State.READY;
      pool.execute(continuation);
    }
  }
}
