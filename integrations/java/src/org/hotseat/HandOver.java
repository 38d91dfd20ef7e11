// integrations/java/src/org/hotseat/HandOver.java — how do we get there? Exchange, call, park.
package org.hotseat;

import java.util.concurrent.locks.LockSupport;

/** What happens to the two threads when a lock is passed on. Knows nothing of locks. */
final class HandOver {
  private HandOver() {}

  /**
   * The heir continues on this carrier at once; self is scheduled. Self goes on instead if it is in
   * another section, which must not wait in a queue, or if the heir is unavailable: it runs on
   * another scheduler, or has not fully suspended yet.
   */
  static void exchange(Thread heir) {
    Carrier carrier = Carrier.current();
    if (carrier == null || carrier.sections() != 0) {
      LockSupport.unpark(heir);
    } else {
      fillSlot(carrier, heir);
      if (carrier.hasNext()) {
        Thread.yield();
        settle();
      }
    }
  }

  /**
   * The heir continues on this carrier as soon as self parks. Self parks, or settles. If self is
   * pinned it blocks the carrier instead; the nudge watches for that.
   */
  static void beforePark(Thread heir) {
    Carrier carrier = Carrier.current();
    if (carrier == null) {
      LockSupport.unpark(heir);
    } else {
      fillSlot(carrier, heir);
      if (carrier.hasNext()) {
        carrier.pool().lookAfterSlotsSoon();
      }
    }
  }

  private static void fillSlot(Carrier carrier, Thread heir) {
    carrier.setTaking(true);
    LockSupport.unpark(heir);
    carrier.setTaking(false);
  }

  /**
   * Parks self. After an unpark that comes before self has fully suspended, the JDK schedules it
   * anew; then it stays on this carrier, in the slot, instead of being queued as an owner.
   *
   * @param nanos how long at most; 0 for no limit
   */
  static void park(Object blocker, long nanos) {
    Carrier carrier = Carrier.current();
    int sections = 0;
    if (carrier != null) {
      sections = carrier.sections();
      carrier.setTaking(true);
    }
    if (nanos == 0) {
      LockSupport.park(blocker);
    } else {
      LockSupport.parkNanos(blocker, nanos);
    }
    settle();
    restoreSections(sections);
  }

  /** Lets other threads run. Self is in as many sections as before. */
  static void letOthersRun() {
    Carrier carrier = Carrier.current();
    int sections = carrier == null ? 0 : carrier.sections();
    Thread.yield();
    restoreSections(sections);
  }

  /** A carrier forgets the sections of a thread that suspends. */
  private static void restoreSections(int sections) {
    if (sections != 0) {
      Carrier now = Carrier.current();
      if (now != null) {
        now.restoreSections(sections);
      }
    }
  }

  /** Restores C1 if the JDK returned without suspending us: pinned, or unparked before. */
  static void settle() {
    Carrier carrier = Carrier.current();
    if (carrier != null) {
      carrier.setTaking(false);
      carrier.emptySlot();
    }
  }
}
