// integrations/java/model/org/hotseat/Runtime.java — the size of the modelled machine.
package org.hotseat;

/** What the library uses of {@code java.lang.Runtime}. */
final class Runtime {
  private static final Runtime THE_ONE = new Runtime();

  private Runtime() {}

  static Runtime getRuntime() {
    return THE_ONE;
  }

  /** On one processor, spinning is useless. */
  int availableProcessors() {
    String wanted = java.lang.System.getenv("HOTSEAT_EXPLORE_PROCESSORS");
    return wanted == null ? 2 : Integer.parseInt(wanted);
  }
}
