// integrations/java/model/org/hotseat/Here.java — the schedule that is being run.
package org.hotseat;

import org.hotseat.explore.Run;

/** One at a time for each class loader. */
final class Here {
  static Run run;
  static LockWatch watch;

  private Here() {}
}
