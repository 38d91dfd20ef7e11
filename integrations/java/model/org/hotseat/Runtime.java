// integrations/java/model/org/hotseat/Runtime.java — the size of the modelled machine.
package org.hotseat;

/** What the library uses of {@code java.lang.Runtime}. */
final class Runtime {
  private static final Runtime THE_ONE = new Runtime();

  private Runtime() {}

  static Runtime getRuntime() {
    return THE_ONE;
  }

  int availableProcessors() {
    return 2;
  }
}
