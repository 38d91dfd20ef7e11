// integrations/java/src/org/hotseat/CarrierPool.java — the scheduler that the JDK calls.
package org.hotseat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Like the JDK's own scheduler a {@link ForkJoinPool} in FIFO order, with carriers that have a
 * slot. It must be a ForkJoinPool, not contain one: then the JDK gives it its threads' timers, too.
 */
final class CarrierPool extends ForkJoinPool {
  private static final int CPUS = Runtime.getRuntime().availableProcessors();
  private static final int MOST_THREADS = 256;
  private static final long KEEP_ALIVE_SECONDS = 30;

  /**
   * A carrier prefers its own queue, but once in so many turns it takes what came from outside: new
   * threads, and those whose time is over.
   */
  private static final int SUBMISSION_TURNS = 64;

  /** Looks of the nudge after which a carrier without a turn has lost more than its processor. */
  private static final int STUCK_LOOKS = 10;

  private static final long PATIENCE_NANOS = 30_000;
  private static final VarHandle SEARCHING;

  static {
    try {
      SEARCHING =
          MethodHandles.lookup().findVarHandle(CarrierPool.class, "searching", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final int useful;
  private int searching;

  /** There is work behind a stuck carrier: no carrier keeps work for itself. */
  private volatile boolean sharing;
  private final Nudge nudge;
  private final Set<Carrier> carriers = ConcurrentHashMap.newKeySet();

  CarrierPool(int carriers) {
    super(carriers, pool -> new Carrier((CarrierPool) pool), (thread, error) -> {}, true,
        0, Math.max(carriers, MOST_THREADS), Math.max(carriers / 2, 1), pool -> true,
        KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    useful = Math.min(carriers, CPUS);
    nudge = new Nudge(this);
  }

  /**
   * Wakes a carrier, if one sleeps, for work that was submitted without a wake-up. ForkJoinPool
   * wakes one for a task in a queue that was empty, as queues for submissions mostly are.
   */
  void wakeOne() {
    try {
      externalSubmit(new Run(() -> {}));
    } catch (RejectedExecutionException closed) {
      // Closing needs no help: it wakes all carriers.
    }
  }

  void add(Carrier carrier) {
    carriers.add(carrier);
  }

  void remove(Carrier carrier) {
    carriers.remove(carrier);
  }

  /**
   * Called by the nudge, some time after the last call. Do as many carriers run one thread after
   * another as can run, and is no work stuck behind a carrier that does not? If not, this wakes
   * another carrier; and if work is stuck, carriers share what they have instead of keeping it in
   * their own queues, until no work is left and they look elsewhere.
   *
   * @return whether all is well
   */
  boolean lookAfter() {
    if (!hasQueued()) {
      sharing = false;
      return true;
    }
    int moving = 0;
    boolean isStuck = false;
    for (Carrier each : carriers) {
      int still = each.looksWithoutTurn();
      if (still == 0) {
        ++moving;
      } else if (still >= STUCK_LOOKS && each.getQueuedTaskCount() > 0) {
        isStuck = true;
      }
    }
    sharing = isStuck;
    if (isStuck || moving < useful) {
      wakeOne();
      return false;
    }
    return true;
  }

  /** A thread that is about to park has filled a slot. If it is pinned, it blocks the carrier. */
  void lookAfterSlotsSoon() {
    nudge.arm();
  }

  /**
   * Called by the nudge: queues what is stuck in the slots.
   *
   * @return whether a slot is full, which the next look must check
   */
  boolean lookAfterSlots() {
    boolean isFull = false;
    for (Carrier each : carriers) {
      Runnable stuck = each.takeStuck();
      if (stuck != null) {
        execute(new Run(stuck));
      }
      isFull |= each.hasNext();
    }
    return isFull;
  }

  /** Whether work waits for a carrier. */
  boolean hasQueued() {
    return getQueuedTaskCount() > 0 || hasQueuedSubmissions();
  }

  @Override
  public void close() {
    super.close();
    nudge.close();
  }

  /** Called by the JDK with the continuation of a virtual thread that became ready. */
  @Override
  public void execute(Runnable continuation) {
    Carrier carrier = Carrier.current();
    if (carrier == null || carrier.pool() != this) {
      execute(new Run(continuation));
    } else if (!carrier.take(continuation)) {
      carrier.enqueue(continuation);
    }
  }

  /**
   * Submits to the queue of the current carrier, which is ours; thieves may take it from there. No
   * carrier is woken if one searches, as that one will find it, or if all processors are busy:
   * another carrier would only take the processor of one that runs, perhaps in a section. The nudge
   * makes sure that nothing waits for long.
   */
  void enqueueHere(Runnable continuation) {
    submit(new Run(continuation));
    if (!isSearched()) {
      wakeForQueued();
    }
  }

  private void submit(Run turn) {
    if (sharing) {
      externalSubmit(turn);
    } else {
      lazySubmit(turn);
    }
  }

  /** Called when there is work in the queues, and no carrier searches. */
  private void wakeForQueued() {
    if (getActiveThreadCount() < useful) {
      wakeOne();
    }
    nudge.arm();
  }

  /** The same when there is no time to wake a carrier now. True if a wake-up is owed. */
  boolean enqueueQuietly(Runnable continuation) {
    submit(new Run(continuation));
    if (isSearched()) {
      return false;
    }
    nudge.arm();
    return getActiveThreadCount() < useful;
  }

  /** Whether a carrier searches, or a processor is idle that one could use. */
  boolean hasIdle() {
    return isSearched() || getActiveThreadCount() < useful;
  }

  /** (S) volatile, with the one in search(). */
  private boolean isSearched() {
    return (int) SEARCHING.getVolatile(this) != 0;
  }

  /**
   * Called by a carrier that has run out of work. Falling asleep and being woken costs more than
   * looking around for a while, so one of the carriers does so. (S): the searcher says that it no
   * longer searches, then looks once more; a submitter submits first, then looks for a searcher. So
   * one of them sees the other. A searcher that finds more than it can take wakes the next carrier.
   */
  ForkJoinTask<?> search(int turn) {
    ForkJoinTask<?> found = turn % SUBMISSION_TURNS == 0 ? pollSubmission() : null;
    if (found == null) {
      found = Run.poll();
    }
    if (found != null || isCrowded() || !SEARCHING.compareAndSet(this, 0, 1)) {
      return found;
    }
    long start = System.nanoTime();
    do {
      for (int i = 0; i < 4 && found == null; ++i) {
        Thread.onSpinWait();
        found = Run.poll();
      }
    } while (found == null && System.nanoTime() - start < PATIENCE_NANOS && !isShutdown());
    SEARCHING.setVolatile(this, 0);
    if (found == null) {
      return Run.poll();
    }
    if (hasQueued()) {
      wakeForQueued();
    }
    return found;
  }

  /**
   * More carriers are busy than there are CPUs: a spinning thread may keep an owner from running.
   */
  boolean isCrowded() {
    return getActiveThreadCount() > CPUS;
  }

  /** A turn of a virtual thread, in a queue of the pool. */
  private static final class Run extends ForkJoinTask<Void> {
    private static final long serialVersionUID = 1;

    private final transient Runnable continuation;

    Run(Runnable continuation) {
      this.continuation = continuation;
    }

    @Override
    protected boolean exec() {
      Carrier carrier = (Carrier) Thread.currentThread();
      CarrierPool pool = carrier.pool();
      carrier.run(continuation);
      int turn = 0;
      for (ForkJoinTask<?> each = pool.search(++turn); each != null; each = pool.search(++turn)) {
        if (each instanceof Run run) {
          carrier.run(run.continuation);
        } else {
          each.quietlyInvoke();
        }
      }
      return true;
    }

    /** A task from our own queue, or from another one. */
    static ForkJoinTask<?> poll() {
      return pollTask();
    }

    @Override
    public Void getRawResult() {
      return null;
    }

    @Override
    protected void setRawResult(Void nothing) {}
  }
}
