// integrations/java/model/org/hotseat/System.java — the clock of the modelled machine.
package org.hotseat;

/** What the library uses of {@code java.lang.System}. */
final class System {
  private System() {}

  static long nanoTime() {
    return Here.run.look();
  }

  static long currentTimeMillis() {
    return Here.run.look() / 1_000_000;
  }
}
