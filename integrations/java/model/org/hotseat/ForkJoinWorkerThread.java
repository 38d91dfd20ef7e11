// integrations/java/model/org/hotseat/ForkJoinWorkerThread.java — the loop of a modelled carrier.
package org.hotseat;

/** What {@link Carrier} needs of the JDK's class: it runs what the pool has queued. */
abstract class ForkJoinWorkerThread extends Thread {
  /** Carriers are daemons: a schedule can end without them. */
  ForkJoinWorkerThread(CarrierPool pool) {
    super(pool.nextName(), null, true, pool::work);
  }

  protected void onStart() {}

  protected void onTermination(Throwable error) {}
}
