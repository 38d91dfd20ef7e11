// integrations/java/model/org/hotseat/JdkInternals.java — the carrier of a modelled thread.
package org.hotseat;

/** What {@link Carrier} asks for. */
final class JdkInternals {
  private JdkInternals() {}

  static String problem() {
    return null;
  }

  static Thread currentCarrier() {
    Thread current = Thread.currentThread();
    return current == null || current.carrier() == null ? current : current.carrier();
  }
}
