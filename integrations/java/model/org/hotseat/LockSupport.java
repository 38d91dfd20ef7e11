// integrations/java/model/org/hotseat/LockSupport.java — parking on the modelled machine.
package org.hotseat;

/** What the library uses of {@code java.util.concurrent.locks.LockSupport}. */
final class LockSupport {
  private LockSupport() {}

  static void park(Object blocker) {
    Thread.currentThread().park(0);
  }

  static void parkNanos(Object blocker, long nanos) {
    if (nanos > 0) {
      Thread.currentThread().park(nanos);
    }
  }

  static void unpark(Thread thread) {
    if (thread != null) {
      thread.unpark();
    }
  }
}
